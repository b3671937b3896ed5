/** Random play of every environment for a long time: memory after warm-up stays flat within 2 %. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Attack } from '../attack.js';
import { runScript } from '../support/child.js';
import { ENVIRONMENTS } from '../support/environments.js';

const SCRIPT = fileURLToPath(new URL('../children/soak.ts', import.meta.url));
const TSX = createRequire(import.meta.url).resolve('tsx');

/** Growth that counts: of the memory in use, and above what one more compiled function takes. */
const GROWTH = 0.02;
const LEAST_BYTES = 1e6;

interface SoakOutput {
  readonly steps: number;
  readonly episodes: number;
  readonly samples: readonly number[];
}

/** @param seconds Time for one environment. @param steps Most steps in it. */
export function soakAttack(name: string, about: string, seconds: number, steps: number, weight: number): Attack {
  return {
    name,
    about,
    weight,
    least: ENVIRONMENTS.length,
    async run({ index, seed }) {
      const { id, options } = ENVIRONMENTS[index % ENVIRONMENTS.length]!;
      const words = [id, JSON.stringify(options), seconds, steps, seed % 100_000].map(String);
      const limit = { preload: [TSX], timeout: (3 * seconds + 120) * 1000 };
      const { code, signal, stdout, stderr } = await runScript(SCRIPT, { args: words, ...limit });
      if (code !== 0) {
        const title = `${id} ends in the middle of random play`;
        return { counts: {}, findings: [{ title, detail: `${signal ?? code}\n${stderr.slice(-2000)}` }] };
      }
      const output = JSON.parse(stdout.trim().split('\n').at(-1)!) as SoakOutput;
      const growth = growthOf(output.samples);
      const counts = { steps: output.steps, [`steps of ${id}`]: output.steps };
      if (growth === undefined) return { counts, findings: [] };
      const megabytes = output.samples.map((bytes) => (bytes / 1e6).toFixed(2)).join(', ');
      const detail = `${output.steps} steps, ${output.episodes} episodes; MB after warm-up: ${megabytes}`;
      return { counts, findings: [{ title: `${id} grows by more than 2 %`, detail: `${detail} (${growth})` }] };
    },
  };
}

/** The growth from the median of the first three samples to that of the last three, where it is too much. */
function growthOf(samples: readonly number[]): string | undefined {
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[1]!;
  const [before, after] = [median(samples.slice(0, 3)), median(samples.slice(-3))];
  const isTooMuch = after > before * (1 + GROWTH) && after - before > LEAST_BYTES;
  return isTooMuch ? `${(100 * (after / before - 1)).toFixed(1)} %` : undefined;
}
