/**
 * Plays the same episodes in two browsers, one after the other, and compares the hash of everything seen; and how much faster
 * than its clock a game runs: `npx tsx bench/two-browsers.ts [episodes]`. Exit code 1 if an episode differs.
 */
import { createHash } from 'node:crypto';
import { ArcadeEnv, CATCH, LAMPS, RULE } from '@vlgym/arcade';
import { Generator } from '@vlgym/core/random';

const episodes = Number(process.argv[2] ?? 1000);
const LANES = 4;
const GAMES = [CATCH, LAMPS, RULE];

interface Played {
  readonly hashes: readonly string[];
  /** Milliseconds of the games' clocks. */
  readonly time: number;
  readonly steps: number;
}

/** Episode i is a random one of game i mod 3. The browser ends with the last environment. */
async function playAll(): Promise<Played> {
  const hashes: string[] = Array(episodes).fill('');
  let [next, time, steps] = [0, 0, 0];
  const lane = async () => {
    const envs = GAMES.map((game) => new ArcadeEnv(game));
    for (let index = next++; index < episodes; index = next++) {
      const env = envs[index % GAMES.length]!;
      const random = new Generator(index);
      const hash = createHash('sha256');
      let { observation, info } = await env.reset({ seed: index });
      for (let done = false; !done; ) {
        hash.update(observation.data).update(JSON.stringify(info));
        const result = await env.step(random.integers(env.actionSpace.n));
        ({ observation, info } = result);
        steps += 1;
        done = result.terminated || result.truncated;
      }
      time += info.time;
      hashes[index] = hash.update(observation.data).update(JSON.stringify(info)).digest('hex');
    }
    for (const env of envs) await env.close();
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { hashes, time, steps };
}

const runs: Played[] = [];
for (const browser of ['first', 'second']) {
  const started = performance.now();
  const run = await playAll();
  const seconds = (performance.now() - started) / 1000;
  runs.push(run);
  const speed = run.time / 1000 / seconds;
  console.log(`${browser} browser: ${run.steps} steps in ${seconds.toFixed(1)} s, ${speed.toFixed(1)} x real time`);
}
const [first, second] = runs as [Played, Played];
const different = first.hashes.filter((hash, index) => hash !== second.hashes[index]).length;
console.log(
  `${episodes} episodes, ${new Set(first.hashes).size} distinct, ${different} different in the second browser`,
);
process.exitCode = different === 0 ? 0 : 1;
