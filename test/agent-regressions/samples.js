/**
 * The two regression tests, for many samples of the same agents and of worse ones (`node scripts/regressions.mjs`). Every sample is a
 * recording and later runs, in which the model draws again whether it wins an episode.
 */
import { make } from '@vlgym/core';
import { describe, expect, test } from 'vitest';
import '@vlgym/points24';
import '@vlgym/vitest';
import '@vlgym/webshop';
import { cardPlayer, shopper } from './agents.mjs';

const { SAMPLES, SKILL, WORSE } = process.env;
const hands = { solvableOnly: true, size: { height: 60, width: 60 } };
const shop = { dialogue: 'tools-v1', catalog: { products: 100 } };
const GAMES = {
  points24: { agent: cardPlayer([]), env: () => make('vlgym/Points24-v1', { options: hands }) },
  webshop: { agent: shopper([]), env: () => make('vlgym/WebShop-v1', { options: shop }), maxSteps: 10 },
};

/** Seeds with a task each: the model answers alike where a task comes again. */
async function distinctSeeds(makeEnv, count) {
  const env = await makeEnv();
  const seeds = new Map();
  for (let seed = 0; seeds.size < count; seed += 1) {
    const { info } = await env.reset({ seed });
    if (!seeds.has(info.taskKey)) seeds.set(info.taskKey, seed);
  }
  await env.close();
  return [...seeds.values()];
}

for (const [name, { agent, ...rules }] of Object.entries(GAMES)) {
  const seeds = await distinctSeeds(rules.env, 40);
  const asWellAs = (folder) => expect(agent).toSolveAtLeastAsWellAs(folder, { ...rules, seeds, record: false });
  const draw = (sample, skill) => Object.assign(process.env, { SAMPLE: sample, SKILL: skill });

  describe.each(Array.from({ length: Number(SAMPLES) }, (_, index) => index))(`${name} sample %i`, (sample) => {
    const folder = `samples/${name}-${sample}`;

    test('same', async () => {
      draw(`then ${sample}`, SKILL);
      await asWellAs(folder); // the first run records
      draw(`now ${sample}`, SKILL);
      await asWellAs(folder);
    });

    test('worse', async () => {
      draw(`now ${sample}`, WORSE);
      await asWellAs(folder);
    });
  });
}
