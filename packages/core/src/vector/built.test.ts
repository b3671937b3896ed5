/**
 * The built package finds its worker file, from ESM and from CommonJS. Run `npx tsup` in `packages/core` first (the root
 * `npm test` does).
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';

type Core = typeof import('../index.js');

const dist = new URL('../../dist/', import.meta.url);
const fixture = new URL('../testing/fixtures/vector-envs.mjs', import.meta.url).href;

it.each([
  ['ESM', async (): Promise<Core> => import(/* @vite-ignore */ new URL('index.js', dist).href)],
  ['CommonJS', async (): Promise<Core> => createRequire(import.meta.url)(new URL('index.cjs', dist).pathname)],
])('makes worker vectors from %s', async (_format, load) => {
  const { makeVec } = await load();
  await import(/* @vite-ignore */ fixture);
  const envs = await makeVec('fixture/Fragile-v0', { numEnvs: 2, vectorization: 'worker', workers: 2 });
  await envs.reset({ seed: 1 });
  expect((await envs.step([0, 0])).observations).toEqual([1, 1]);
  await envs.close();
});

it('does not keep the process alive if the vector is not closed', () => {
  const script = `
    import { makeVec } from ${JSON.stringify(new URL('index.js', dist).href)};
    import ${JSON.stringify(fixture)};
    const envs = await makeVec('fixture/Fragile-v0', { numEnvs: 2, vectorization: 'worker', workers: 2 });
    await envs.reset({ seed: 1 });
    console.log((await envs.step([0, 0])).observations.join());
  `;
  const nodeArguments = ['--max-old-space-size=512', '--expose-gc', '--input-type=module', '-e', script];
  const { stdout, status } = spawnSync(process.execPath, nodeArguments, {
    encoding: 'utf8',
    timeout: 120_000,
  });
  expect([stdout.trim(), status]).toEqual(['1,1', 0]);
}, 150_000);
