/**
 * The code people copy: the first example of every README is a file that compiles and runs, and every other TypeScript
 * example of a README that imports something type-checks against the built packages.
 */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { NODE16, typeErrors } from './support/type-check.js';
import { publicPackages, ROOT, requireBuild } from './support/workspaces.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const run = promisify(execFile);

interface Block {
  readonly language: string;
  readonly code: string;
}

function blocks(file: string): Block[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, code]) => ({
    language: language!,
    code: code!,
  }));
}

const readmes = [{ name: 'vlgym-monorepo', folder: ROOT, path: '.' }, ...publicPackages].map(
  ({ name, folder, path }) => ({
    name,
    folder,
    readme: join(path, 'README.md'),
    blocks: blocks(join(folder, 'README.md')),
  }),
);

/** The first example: what follows the lines that install the package. */
const packages = publicPackages.map(({ name, folder, manifest }) => {
  const [first] = blocks(join(folder, 'README.md')).filter(({ code }) => !/^npm install/.test(code));
  const examples = join(folder, 'examples');
  const files = existsSync(examples) ? readdirSync(examples).map((file) => join(examples, file)) : [];
  return { name, manifest, files, first, file: files.find((file) => readFileSync(file, 'utf8') === first?.code) };
});

let home = '';
beforeAll(async () => {
  requireBuild();
  home = await mkdtemp(join(tmpdir(), 'vlgym-examples-'));
  await symlink(join(ROOT, 'node_modules'), join(home, 'node_modules')); // as if all of ours were installed here
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe('a README', () => {
  it.each(packages)('of $name shows how to install it', ({ name }) => {
    const { blocks: all } = readmes.find((each) => each.name === name)!;
    expect(all[0]).toEqual({ language: 'sh', code: expect.stringMatching(new RegExp(`^npm install .*${name}\\b`)) });
  });

  it.each(packages)('of $name opens with an example that is a file in examples/', ({ first, file, files }) => {
    expect(first?.code, `none of ${files.join(', ') || 'no files'} is the first example`).toBe(
      file && readFileSync(file, 'utf8'),
    );
  });
});

describe('the example', () => {
  const files = packages.flatMap((each) => each.files);

  // one program: the types that they share are checked once
  it('files and the programs in READMEs type-check', () => {
    const texts = files.filter((file) => file.endsWith('.ts')).map((file) => [file, readFileSync(file, 'utf8')]);
    const programs = readmes.flatMap(({ folder, blocks: all }) =>
      all
        .filter(({ language, code }) => language === 'ts' && /^import /m.test(code))
        .map(({ code }, index) => [join(folder, `README-${index}.mts`), code]),
    );
    expect(programs.length).toBeGreaterThan(publicPackages.length);
    expect(typeErrors(Object.fromEntries([...texts, ...programs]), NODE16)).toEqual([]);
  });

  const node = (file: string) => run(process.execPath, ['--import', import.meta.resolve('tsx'), file], { cwd: home });

  // the first ones run in test/install.long.test.ts, as their readers type them
  const others = files.filter((file) => !packages.some((each) => each.file === file));
  it.each(others.map((file) => ({ name: file.slice(ROOT.length), file })))('$name runs', async ({ file }) => {
    const { stdout } = await node(file);
    expect(stdout.trim()).not.toBe('');
  });
});
