/**
 * Success rates of the expert on the tasks that it knows, and of random calls on all: `npx tsx bench/rates.ts [episodes]`.
 */
import { evaluate, randomAgent } from '@vlgym/agents';
import { make } from '@vlgym/core';
import { expertTasks, MiniWoBEnv } from '@vlgym/miniwob';

const episodes = Number(process.argv[2] ?? 100);

const env = new MiniWoBEnv({ observation: 'text' });
let won = 0;
let played = 0;
for (const task of expertTasks()) {
  for (let pageSeed = 100; pageSeed < 103; pageSeed += 1) {
    let { info } = await env.reset({ options: { task, pageSeed } });
    for (let steps = 0; steps < 20 && info.success === undefined; steps += 1) {
      const action = env.oracle();
      if (action === undefined) break;
      ({ info } = await env.step(action));
    }
    played += 1;
    won += info.success === true ? 1 : 0;
    if (info.success !== true) console.log(`not solved: ${task}, page ${pageSeed}`);
  }
}
await env.close();
console.log(`expert: ${won} of ${played} episodes, ${expertTasks().length} tasks`);

const { successRate, meanReturn, counted } = await evaluate({
  env: () => make('vlgym/MiniWoB-v1', { options: { observation: 'text' } }),
  agent: randomAgent(),
  episodes,
  parallel: 2,
});
console.log(`random: success ${successRate}, mean return ${meanReturn}, ${counted} episodes of all tasks`);
