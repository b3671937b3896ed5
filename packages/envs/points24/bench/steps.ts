/**
 * Steps per CPU-second with a 300 x 300 picture per step: bare environments, random actions, and a seeded reset after
 * each episode (not counted as a step, but included in the time). CPU time is that of the whole process, including
 * garbage collection and its threads.
 *
 * A new 270 kB picture per step is mostly memory traffic, so other processes slow it down. The column `copies` is the
 * rate of plain copies into new memory in the same second, which no environment can exceed that returns a new picture;
 * `pictures` counts those of resets, too, and `of copies` is their share of that bound. `faults` are page faults per step.
 * With `drawInto` pictures are drawn into a buffer of the caller: `in place` is its rate, and `ratio` compares both.
 *
 * Run it with `npx tsx packages/envs/points24/bench/steps.ts [seconds per game]` on an idle machine.
 */
import { PythonRandom } from '@vlgym/core/random';
import { BlackjackEnv, EZPointsEnv, NumberLineEnv, Points24Env } from '../src/index.js';

/** Steps per CPU-second of the published Python package with Pillow, measured on another machine and not run here. */
const CITED = { EZPoints: 120, Points24: 148, Blackjack: 22, NumberLine: 1559 };
const GOAL = 20_000;

const seconds = Number(process.argv[2] ?? 4);
const games = {
  EZPoints: new EZPointsEnv(),
  Points24: new Points24Env(),
  Blackjack: new BlackjackEnv(),
  NumberLine: new NumberLineEnv(),
};

console.log('per CPU-second:   steps  pictures   copies  of copies  faults  in place   ratio   cited Python    goal');
for (const [name, env] of Object.entries(games)) {
  play(env, 0.5); // warm up
  const [before, fresh, after] = [copy(seconds / 4), play(env, seconds), copy(seconds / 4)];
  const copies = (before.rate + after.rate) / 2;
  env.drawInto(new Uint8Array(270_000));
  const inPlace = play(env, seconds);
  const cited = CITED[name as keyof typeof CITED];
  const columns = [
    fresh.rate.toFixed(0).padStart(11),
    fresh.pictures.toFixed(0).padStart(9),
    copies.toFixed(0).padStart(8),
    `${((100 * fresh.pictures) / copies).toFixed(0)} %`.padStart(10),
    fresh.faults.toFixed(1).padStart(7),
    inPlace.rate.toFixed(0).padStart(9),
    `${(inPlace.rate / fresh.rate).toFixed(1)}x`.padStart(7),
    String(cited).padStart(14),
    (fresh.rate >= GOAL ? 'met' : 'missed').padStart(7),
  ];
  console.log(`${name.padEnd(11)} ${columns.join(' ')}`);
}

/** Reads one byte of each picture, so that no picture can be optimized away. */
function play(env: (typeof games)[keyof typeof games], wanted: number) {
  const random = new PythonRandom(0);
  let [seed, seen] = [0, 0];
  env.reset({ seed });
  const measured = perCpuSecond(wanted, (step) => {
    const { observation, terminated, truncated } = env.step(random.below(env.actionSpace.n));
    if (typeof observation === 'object' && 'data' in observation)
      seen += observation.data[step % observation.data.length]!;
    if (terminated || truncated) {
      seed += 1;
      env.reset({ seed });
    }
  });
  if (seen === 0) throw new Error('the pictures were empty');
  return { ...measured, pictures: measured.rate * (1 + seed / measured.calls) };
}

function copy(wanted: number) {
  const picture = new Uint8Array(270_000).fill(1);
  let last = picture;
  return perCpuSecond(wanted, () => {
    // As environments do: memory that is not cleared first.
    const fresh = new Uint8Array(Buffer.allocUnsafeSlow(last.length).buffer);
    fresh.set(picture);
    last = fresh;
  });
}

/** Calls of `work` per CPU-second, and page faults per call. */
function perCpuSecond(wanted: number, work: (index: number) => void) {
  const [start, { minorPageFault }] = [process.cpuUsage(), process.resourceUsage()];
  for (let calls = 0; ; calls += 1) {
    if (calls % 256 === 255) {
      const { user, system } = process.cpuUsage(start);
      const faults = (process.resourceUsage().minorPageFault - minorPageFault) / calls;
      if (user + system > wanted * 1e6) return { rate: calls / ((user + system) / 1e6), calls, faults };
    }
    work(calls);
  }
}
