/**
 * First states of all tasks agree with those of miniwob 1.1.0 through Selenium: instructions, and tags, texts and values of the
 * elements. Boxes depend on fonts and scroll bars. `VLGYM_MINIWOB_SEEDS=3` compares three seeds of each task, not one.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { hasPages, LIMIT } from '../test-support/pages.js';
import { MiniWoBEnv, TASKS } from './index.js';
import { PAGE_ELEMENTS } from './verifier/inputs.js';

vi.setConfig({ testTimeout: LIMIT, hookTimeout: LIMIT });

type Row = [tag: string, text: string, value: string, left: number, top: number, width: number, height: number];
type Episode = [task: string, seed: number, utterance: string, elements: Row[]];
const { episodes } = JSON.parse(
  gunzipSync(readFileSync(new URL('../../../../test/golden/miniwob.json.gz', import.meta.url))).toString(),
) as { episodes: Episode[] };

const seeds = Number(process.env.VLGYM_MINIWOB_SEEDS ?? 1);
const tasks = [...TASKS.values()];
const without = hasPages ? '' : ' (skipped: no Chromium, or no pages; `vlgym miniwob setup` fetches them)';

/** Change with time, or show the day: what the original showed when it was asked. */
const BY_TIME = new Set(['stock-market', 'terminal']);

it('the vectors have three seeds of every task', () => {
  expect(episodes).toHaveLength(3 * TASKS.size);
});

describe.skipIf(!hasPages)(`first states${without}`, () => {
  const env = new MiniWoBEnv({ observation: 'text' });
  afterAll(() => env.close());

  it.each(tasks)('$name', async ({ name }) => {
    for (const [, pageSeed, utterance, elements] of episodes.filter(([task]) => task === name).slice(0, seeds)) {
      const { info } = await env.reset({ options: { task: name, pageSeed } });
      expect(info.instruction.slice(0, 256)).toBe(utterance);
      if (BY_TIME.has(name)) continue;
      const shown = await env.page!.evaluate(PAGE_ELEMENTS);
      expect(shown).toEqual(elements.map(([tag, text, value]) => [tag, text.slice(0, 256), value]));
    }
  });
});
