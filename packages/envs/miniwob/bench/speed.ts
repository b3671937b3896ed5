/**
 * Milliseconds of `reset` and `step`, with and without pictures: `npx tsx packages/envs/miniwob/bench/speed.ts`.
 *
 * The fastest tenth is close to what an idle machine needs; the median includes what else it does.
 */
import { MiniWoBEnv } from '@vlgym/miniwob';

const EPISODES = 40;
const STEPS = 3;

const at = (times: readonly number[], share: number) =>
  [...times].sort((a, b) => a - b)[Math.floor(share * times.length)]!.toFixed(0);

for (const observation of ['both', 'text'] as const) {
  const env = new MiniWoBEnv({ task: 'click-checkboxes', observation });
  const times: Record<'reset' | 'step', number[]> = { reset: [], step: [] };
  const timed = async <T>(what: keyof typeof times, act: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await act();
    times[what].push(performance.now() - start);
    return result;
  };
  await env.reset({ seed: 0 });
  for (let seed = 1; seed <= EPISODES; seed += 1) {
    await timed('reset', () => env.reset({ seed }));
    for (let step = 0; step < STEPS; step += 1) await timed('step', () => env.step("click('1')"));
  }
  await env.close();
  for (const [what, list] of Object.entries(times)) {
    console.log(`${observation}: ${what} ${at(list, 0.1)} ms (fastest tenth), ${at(list, 0.5)} ms (median)`);
  }
}
