/** Files of the user in a folder without an installation get `@vlgym/*` and `zod` of the command line itself. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { vlgym } from './support/vlgym.js';

vi.setConfig({ testTimeout: 120_000 });

const ENVIRONMENT = `
import { BaseEnv, register, spaces } from '@vlgym/core';
import { CountingEnv } from '@vlgym/core/testing';
import { z } from 'zod';
z.object({});
register({ id: 'outside/NAME-v0', title: 'NAME', entryPoint: () => new CountingEnv() });
`;
const ALGORITHM = `
import { defineAlgorithm } from '@vlgym/rl';
import { presets } from '@vlgym/baselines';
import { registerAlgorithms } from '@vlgym/rl';
registerAlgorithms({ mine: presets.grpo });
void defineAlgorithm;
`;

let home = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-outside-'));
  await writeFile(join(home, 'env.mjs'), ENVIRONMENT.replaceAll('NAME', 'Plain'));
  await writeFile(join(home, 'env.ts'), ENVIRONMENT.replaceAll('NAME', 'Typed'));
  await writeFile(join(home, 'mine.ts'), ALGORITHM);
  await writeFile(join(home, 'missing.mjs'), "import 'not-a-package-of-anybody';");
});
afterAll(() => rm(home, { recursive: true, force: true }));

it.each([
  ['env.mjs', 'outside/Plain-v0'],
  ['env.ts', 'outside/Typed-v0'],
])('an environment in %s plays', async (file, id) => {
  const args = ['eval', id, '--agent', 'oracle', '--episodes', '3', '--import', `./${file}`];
  const { code, stdout, stderr } = await vlgym(args, { cwd: home });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout).toContain('100');
});

it('an algorithm is listed', async () => {
  const { code, stdout, stderr } = await vlgym(['algorithms', '--import', './mine.ts'], { cwd: home });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout).toContain('mine');
});

it('lends nothing else', async () => {
  const { code, stderr } = await vlgym(['algorithms', '--import', './missing.mjs'], { cwd: home });
  expect(code).not.toBe(0);
  expect(stderr).toContain('IMPORT_FAILED');
});
