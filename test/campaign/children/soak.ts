/**
 * `soak.ts <id> <options> <seconds> <steps> <seed> [environments]`: random play for so long, then the memory in use after
 * collections: `{ steps, samples }`, samples in bytes, the first after a third of the time. Half of all seeds never let a
 * macrotask end. Several environments play at the same time and share the steps.
 */
import { fallbackAction } from '@vlgym/agents';
import { type AnyEnv, Generator, make } from '@vlgym/core';
import { collected } from '../../support/collected.js';
import '../support/environments.js';

const SAMPLES = 8;
const [id, options, seconds, most, seed, environments = '1'] = process.argv.slice(2) as string[];
const inOneMacrotask = Number(seed) % 2 === 1;

let steps = 0;
let episodes = 0;

class Player {
  readonly #rng: Generator;
  #last: Awaited<ReturnType<AnyEnv['reset']>>;

  constructor(
    readonly env: AnyEnv,
    own: number,
    first: Awaited<ReturnType<AnyEnv['reset']>>,
  ) {
    this.#rng = new Generator(own);
    this.#last = first;
    env.actionSpace.seed(own);
  }

  async playUntil(time: number, limit: number): Promise<void> {
    for (let stepIndex = 0; performance.now() < time && steps < limit; stepIndex += 1) {
      const { observation, info } = this.#last;
      const context = { env: this.env, rng: this.#rng, stepIndex, observation, info, history: [], episodeId: 'soak' };
      steps += 1;
      const result = await this.env.step(fallbackAction(context as never));
      this.#last = result;
      if (result.terminated || result.truncated) {
        episodes += 1;
        this.#last = await this.env.reset({ seed: episodes % 500 });
      }
      if (!inOneMacrotask && steps % 200 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

function memoryInUse(): number {
  collected();
  const { heapUsed, external } = collected();
  return heapUsed + external;
}

const players: Player[] = [];
for (let index = 0; index < Number(environments); index += 1) {
  const env: AnyEnv = await make(id!, { options: JSON.parse(options!) as Record<string, unknown> });
  const own = Number(seed) + index;
  players.push(new Player(env, own, await env.reset({ seed: own })));
}

const [time, limit] = [Number(seconds) * 1000, Number(most)];
const start = performance.now();
const playUntil = (share: number) =>
  Promise.all(players.map((player) => player.playUntil(start + time * share, limit * share)));
await playUntil(1 / 3);
const samples = [memoryInUse()];
for (let sample = 1; sample < SAMPLES; sample += 1) {
  await playUntil(1 / 3 + ((2 / 3) * sample) / (SAMPLES - 1));
  samples.push(memoryInUse());
}
for (const { env } of players) await env.close();
process.stdout.write(`${JSON.stringify({ steps, episodes, samples })}\n`);
process.exit(0);
