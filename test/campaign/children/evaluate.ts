/** `evaluate.js <folder> <episodes>`: an evaluation that records and resumes; its rows come as one line of JSON. */
import { evaluate, randomAgent } from '@vlgym/agents';
import { WalkEnv } from '../support/walk-env.js';

const [folder, episodes] = process.argv.slice(2) as [string, string];
let played = 0;
const result = await evaluate({
  env: () => new WalkEnv(),
  agent: randomAgent(),
  episodes: Number(episodes),
  parallel: 2,
  record: folder,
  resume: true,
  onEpisode: () => {
    played += 1;
    process.stdout.write('episode\n');
  },
});
const rows = result.episodes.map(({ index, seed, return: sum, length, success, endedBy, counted }) => {
  return { index, seed, return: sum, length, success, endedBy, counted };
});
const { successRate, meanReturn, counted, excluded } = result;
process.stdout.write(`${JSON.stringify({ rows, totals: { successRate, meanReturn, counted, excluded }, played })}\n`);
