/**
 * An environment of somebody else, in a folder outside of the repository: a copy of the example with a name, an id and a
 * title that nothing of ours has ever seen. `--import` is all that the commands are told.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkEnv, make } from '@vlgym/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { vlgym } from './support/vlgym.js';
import { ROOT } from './support/workspaces.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const NAME = 'their-banner';
const ID = 'theirs/Banner-v3';
const imported = ['--import', NAME];

let home = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-outside-'));
  const place = join(home, 'node_modules', NAME);
  await mkdir(join(home, 'node_modules', '@vlgym'), { recursive: true });
  await cp(join(ROOT, 'examples/flag/dist'), join(place, 'dist'), { recursive: true });
  const theirs = (text: string) =>
    text
      .replaceAll('@vlgym/example-flag', NAME)
      .replaceAll('example/Flag-v0', ID)
      .replaceAll('Walk to the flag', 'Their banner')
      .replaceAll('shortNames: ["flag"]', 'shortNames: ["banner"]');
  for (const file of ['package.json', 'dist/index.js']) {
    const source = await readFile(join(ROOT, 'examples/flag', file), 'utf8');
    await writeFile(join(place, file), theirs(source));
  }
  await writeFile(join(home, 'package.json'), JSON.stringify({ dependencies: { [NAME]: '*' } }));
  await symlink(join(ROOT, 'packages/core'), join(home, 'node_modules/@vlgym/core'));
  await symlink(join(ROOT, 'node_modules/zod'), join(home, 'node_modules/zod'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const run = (...args: string[]) => vlgym(args, { cwd: home });

// what its README promises from packed packages: `npm run test:examples`
it.each(['flag', 'sokoban', 'vault'])('the example %s passes its own tests', async (name) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--test'], { cwd: join(ROOT, 'examples', name) });
  expect(stdout).toMatch(/^(?:ℹ|#) fail 0$/m);
});

describe('the example that they copied', () => {
  it('builds outside of the clone, with its own configuration alone', async () => {
    const place = join(home, 'copy');
    const kept =
      ({ length }: string) =>
      (path: string) =>
        !/^.(dist|node_modules)/.test(path.slice(length));
    const example = join(ROOT, 'examples/flag');
    await cp(example, place, { recursive: true, filter: kept(example) });
    await symlink(join(ROOT, 'node_modules'), join(place, 'node_modules'));
    await promisify(execFile)(process.execPath, [join(ROOT, 'node_modules/tsup/dist/cli-default.js')], { cwd: place });
    expect(await readFile(join(place, 'dist/index.js'), 'utf8')).toContain('example/Flag-v0');
    expect(await readFile(join(place, 'dist/index.d.ts'), 'utf8')).toContain('export');
  });
});

describe('an environment of a package that is not ours', () => {
  it('keeps the contract, in pictures and in words', async () => {
    await import(/* @vite-ignore */ join(home, 'node_modules', NAME, 'dist/index.js'));
    const report = await checkEnv(() => make(ID as string));
    expect(report.findings).toEqual([]);
  });

  it('is unknown until it is named, and the hint says how', async () => {
    const { code, stderr } = await run('eval', ID, '--agent', 'oracle');
    expect(stderr).toMatch(/^UNKNOWN_ENV .*\n.*--import their-banner/);
    expect(code).toBe(1);
  });

  it('says what it declares', async () => {
    const { code, stdout } = await run('envs', 'banner', ...imported);
    expect(stdout).toMatch(
      /^theirs\/Banner-v3\n {2}title +Their banner\n {2}goal +Walk to the red flag\.\n[\s\S]* {2}registered by +their-banner$/m,
    );
    expect(stdout).toMatch(/opens +as a page/);
    expect(stdout).toMatch(/training +\{"updates":8/);
    expect(code).toBe(0);
    const all = await run('envs', ...imported);
    expect(all.stdout).toMatch(/^theirs\/Banner-v3 +Their banner +banner$/m);
    expect(all.stderr).toBe(''); // also not that some ids have a newer version
  });

  it('is measured under its short name, and its recording replays for who names the package', async () => {
    const folder = join(home, 'recorded');
    const played = await run('eval', 'banner', ...imported, '--agent', 'oracle', '--episodes', '5', '--record', folder);
    expect(played.stdout).toMatch(/success +100\.0 %/);
    expect((await run('replay', folder)).stderr).toMatch(/^UNTRUSTED_SPEC [\s\S]*--import their-banner/);
    expect((await run('replay', folder, ...imported)).stdout).toContain('5 of 5 episodes agree');
  });

  it('is played in the terminal, and on the page by default', async () => {
    const game = ['play', 'banner', ...imported];
    const terminal = await vlgym([...game, '--terminal'], { cwd: home, input: ':hint\n:quit\n' });
    expect(terminal.stdout).toMatch(/Hint: (?:left|right|up|down)\n/);
    let page: Promise<string> | undefined;
    await vlgym([...game, '--no-open'], {
      cwd: home,
      started: (child) =>
        child.stdout?.on('data', (text) => {
          page ??= fetch(/http:\S+/.exec(String(text))![0]).then((response) => response.text());
          void page.finally(() => child.kill('SIGINT'));
        }),
    });
    expect(await page!).toContain('<title>vlgym play</title>');
  });

  it('is trained on and reported by bench, in processes of its own, with its title, its split and its settings', async () => {
    const out = join(home, 'bench');
    const tiny = '--updates 1 --steps-per-update 8 --num-envs 2 --warm-start-examples 64 --evaluation-episodes 4';
    const choices = [
      '--algorithms',
      'vl-dac',
      '--baseline',
      'vl-dac',
      '--seeds',
      '0',
      '--jobs',
      '1',
      '--out',
      out,
      ...tiny.split(' '),
    ];
    const { code, stderr } = await run('bench', 'banner', ...imported, ...choices);
    expect({ code, stderr: stderr.match(/declares no training settings|ended without/g) }).toEqual({
      code: 0,
      stderr: null,
    });
    const { effective: plan } = JSON.parse(await readFile(join(out, 'theirs-Banner-v3/vl-dac-0/run.json'), 'utf8'));
    expect(plan).toMatchObject({ env: ID, import: [NAME], evaluationTemperature: 0.5, evaluateEvery: 4 });
    const report = await readFile(join(out, 'report.html'), 'utf8');
    expect(report).toContain('Their banner, theirs/Banner-v3');
    expect(report).not.toContain('not separated');
  });

  it('trains from random weights where it declares no teacher, and says what is missing where it has none', async () => {
    const variants = `
      import { findRegistration, register } from '@vlgym/core';
      import '${NAME}';
      const { shortNames, training, ...theirs } = findRegistration('${ID}');
      register({ ...theirs, id: 'theirs/Scratch-v0', training: { ...training, warmStart: { teacher: 'none' } } });
      const entryPoint = (options) => Object.assign(theirs.entryPoint(options), { oracle: undefined });
      register({ ...theirs, id: 'theirs/Mute-v0', entryPoint });`;
    await writeFile(join(home, 'variants.mjs'), variants);
    const tiny = '--updates 1 --steps-per-update 8 --num-envs 2 --evaluation-episodes 4 --threads 1'.split(' ');
    const train = (env: string) =>
      run('train', 'vl-dac', '--env', env, '--import', 'variants.mjs', ...tiny, '--folder', join(home, env));

    const scratch = await train('theirs/scratch');
    expect({ code: scratch.code, error: scratch.stderr.match(/^[A-Z_]{4,}.*/m) }).toEqual({ code: 0, error: null });
    expect(scratch.stdout).toContain('never seen in training');

    const mute = await train('theirs/mute');
    expect(mute.stderr).toMatch(/declares no training settings; neutral ones are used/);
    expect(mute.stderr).toMatch(/^NO_TEACHER theirs\/Mute-v0 has no expert .*\n[\s\S]*--start FOLDER/m);
    expect(mute.code).toBe(1);
  });

  it('comes from a file as well, and a file that fails says which', async () => {
    await writeFile(join(home, 'envs.mjs'), `export * from '${NAME}';`);
    await writeFile(join(home, 'broken.mjs'), "throw new Error('their mistake');");
    expect((await run('envs', 'banner', '--import', 'envs.mjs')).stdout).toContain(ID);
    for (const [name, says] of [
      ['broken.mjs', /"[^"]*broken\.mjs" cannot be imported: their mistake/],
      ['./none.mjs', /"[^"]*none\.mjs" cannot be imported/],
      ['not-installed', /"not-installed" cannot be imported/],
    ] as const) {
      const { code, stderr } = await run('envs', '--import', name);
      expect(stderr).toMatch(/^IMPORT_FAILED /);
      expect(stderr).toMatch(says);
      expect(code).toBe(1);
    }
  });
});
