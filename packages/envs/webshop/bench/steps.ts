/**
 * Text steps per CPU-second without searches: open a product, choose options, read its pages, go back and forth. CPU time
 * is that of the whole process, including garbage collection; resets and the initial search of an episode count in the
 * time, but not as steps.
 *
 * Run it with `npx tsx packages/envs/webshop/bench/steps.ts [seconds per mode]` on an idle machine.
 */
import { PythonRandom } from '@vlgym/core/random';
import { WebShopEnv } from '../src/index.js';

/** Steps per CPU-second of the published Python environment with its search stubbed out; cited, not run here. */
const CITED = { text: 102, html: 134 } as const;
const GOAL = 20_000;

const seconds = Number(process.argv[2] ?? 3);
console.log('mode         per CPU-second   cited Python   ratio');
for (const observationMode of ['text', 'text_rich', 'html', 'url'] as const) {
  const env = new WebShopEnv({ observationMode, goals: 'human', catalog: { products: 1000 } });
  measure(env, 0.5);
  const rate = measure(env, seconds);
  const cited = observationMode in CITED ? CITED[observationMode as keyof typeof CITED] : undefined;
  const columns = [
    rate.toFixed(0).padStart(14),
    String(cited ?? '').padStart(14),
    cited ? `${(rate / cited).toFixed(0)}x`.padStart(7) : ''.padStart(7),
  ];
  console.log(
    `${observationMode.padEnd(12)} ${columns.join(' ')}   ${rate >= GOAL ? 'goal of 20,000 met' : 'below the goal of 20,000'}`,
  );
}

function measure(env: WebShopEnv, wanted: number): number {
  const random = new PythonRandom(0);
  const start = process.cpuUsage();
  let steps = 0;
  for (let goal = 0; ; goal = (goal + 1) % 100) {
    env.reset({ options: { goal } });
    let { info } = env.step('search[soft]');
    for (let turn = 0; turn < 40; turn += 1) {
      const clicks = info.availableActions.clickables.filter((name) => name !== 'buy now' && name !== 'back to search');
      ({ info } = env.step(`click[${random.choice(clicks)}]`));
      steps += 1;
    }
    const { user, system } = process.cpuUsage(start);
    if (user + system > wanted * 1e6) return steps / ((user + system) / 1e6);
  }
}
