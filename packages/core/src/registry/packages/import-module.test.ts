import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importModule } from './import-module.js';

const home = process.cwd();
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-import-'));
  const module = join(folder, 'node_modules', 'vlgym-not-hoisted');
  await mkdir(module, { recursive: true });
  await writeFile(join(module, 'package.json'), '{"name": "vlgym-not-hoisted", "main": "index.cjs"}');
  await writeFile(join(module, 'index.cjs'), 'exports.name = "package";');
  const modern = join(folder, 'node_modules', 'vlgym-esm-only');
  await mkdir(modern, { recursive: true });
  const exports = { '.': { types: './index.d.ts', import: { types: './index.d.ts', default: './index.mjs' } } };
  await writeFile(join(modern, 'package.json'), JSON.stringify({ name: 'vlgym-esm-only', exports }));
  await writeFile(join(modern, 'index.mjs'), 'export const name = "module";');
  await writeFile(join(folder, 'local.mjs'), 'export const name = "local";');
  await writeFile(join(folder, 'broken.mjs'), 'throw new RangeError("broken on purpose");');
  process.chdir(folder);
});

afterEach(async () => {
  process.chdir(home);
  await rm(folder, { recursive: true, force: true });
});

describe('importModule', () => {
  it.each([
    ['a path from the working directory', () => './local.mjs', 'local'],
    ['a URL', () => pathToFileURL(join(folder, 'local.mjs')).href, 'local'],
    ['a package that only the working directory sees', () => 'vlgym-not-hoisted', 'package'],
    ['such a package without a CommonJS entry', () => 'vlgym-esm-only', 'module'],
  ])('takes %s', async (_what, specifier, name) => {
    expect(await importModule(specifier())).toMatchObject({ name });
  });

  it('hands on the error of a module that fails, and of one that is not there', async () => {
    await expect(importModule('./broken.mjs')).rejects.toThrow('broken on purpose');
    await expect(importModule('vlgym-not-anywhere')).rejects.toThrow('vlgym-not-anywhere');
  });
});
