import { type CanaryCounts, canaryVerdict } from '@vlgym/canary';
import { make } from '@vlgym/core';

const env = await make('vlgym/Canary-v1');
const episodes: CanaryCounts[] = [];
for (let seed = 0; seed < 10; seed++) {
  await env.reset({ seed });
  for (let answer = 0; ; ) {
    const color = env.unwrapped.oracle(); // your agent's answer to the picture goes here
    const { terminated, info } = await env.step(answer);
    if (terminated) {
      episodes.push(info.canary);
      break;
    }
    answer = color; // an agent that is one step late
  }
}
console.log(canaryVerdict(episodes).text);
// 70 of 70 answers named the color of the picture before: pictures come one step late
