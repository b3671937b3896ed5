/** The expert solves the tasks that it knows, on the original's pages. `VLGYM_MINIWOB_SEEDS=3` plays three seeds of each. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { hasPages, LIMIT } from '../../test-support/pages.js';
import { expertTasks, MiniWoBEnv, TASKS } from '../index.js';

vi.setConfig({ testTimeout: LIMIT, hookTimeout: LIMIT });

const seeds = Number(process.env.VLGYM_MINIWOB_SEEDS ?? 1);
const without = hasPages ? '' : ' (skipped: no Chromium, or no pages; `vlgym miniwob setup` fetches them)';

it('knows only tasks that there are', () => {
  for (const name of expertTasks()) expect(TASKS.has(name)).toBe(true);
});

describe.skipIf(!hasPages)(`the expert${without}`, () => {
  const env = new MiniWoBEnv({ observation: 'text' });
  afterAll(() => env.close());

  it.each(expertTasks())('solves %s', async (task) => {
    for (let pageSeed = 0; pageSeed < seeds; pageSeed += 1) {
      let info = (await env.reset({ options: { task, pageSeed } })).info;
      for (let steps = 0; steps < 20 && info.success === undefined; steps += 1) {
        ({ info } = await env.step(env.oracle()!));
      }
      expect(info).toMatchObject({ success: true, rawReward: 1 });
    }
  });
});
