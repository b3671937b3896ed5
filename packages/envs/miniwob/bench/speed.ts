/**
 * Milliseconds of `reset` and `step`, with and without pictures, beside the original through Selenium in the same run: the calls of both
 * alternate, so that whatever else the machine does meets both.
 *
 * `npx tsx packages/envs/miniwob/bench/speed.ts [episodes] [python]`; the Python has `pip install miniwob==1.1.0`, and chromedriver is
 * on the path. A step is a click on a box of `click-checkboxes`, which does not end the episode. Processor time is that of all
 * processes of a side (Linux).
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { OriginalProcess } from '@vlgym/core/verification';
import { MiniWoBEnv } from '../src/index.js';
import { inputsOf, writtenCall } from '../src/verifier/inputs.js';
import { originalBrowser, startOriginal } from '../src/verifier/miniwob.js';

const episodes = Number(process.argv[2] ?? 30);
const python = process.argv[3];
const TASK = 'click-checkboxes';
const STEPS = 4;
/** Ticks of a processor per second that Linux counts in. */
const TICKS = 100;

type Side = 'ours' | 'original';
type Call = 'reset' | 'step';

const times: Record<Side, Record<Call, number[]>> = {
  ours: { reset: [], step: [] },
  original: { reset: [], step: [] },
};
const at = (list: readonly number[], share: number) =>
  [...list].sort((a, b) => a - b)[Math.floor(share * list.length)]!;

/** Milliseconds of processor time of a process and all below it, without those below `without`. */
function processorTime(root: number, without?: number): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return [{ pid: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }];
      } catch {
        return []; // it ended
      }
    });
  const sum = (pid: number): number =>
    processes
      .filter(({ parent, pid: own }) => parent === pid && own !== without)
      .reduce((ticks, { pid: child }) => ticks + sum(child), processes.find((each) => each.pid === pid)?.ticks ?? 0);
  return (1000 * sum(root)) / TICKS;
}

async function timeTheirs(original: OriginalProcess, request: object): Promise<readonly [ms: number, pid: number]> {
  return (await original.ask({ do: 'timed', task: TASK, seed: 0, action: null, ...request })) as [number, number];
}

for (const observation of ['both', 'text'] as const) {
  const pictures = observation === 'both';
  const env = new MiniWoBEnv({ task: TASK, observation });
  const original = python === undefined ? undefined : startOriginal(python, originalBrowser() ?? {});
  for (const side of Object.values(times)) [side.reset, side.step] = [[], []];
  const timed = async <T>(call: Call, act: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await act();
    times.ours[call].push(performance.now() - start);
    return result;
  };
  await env.reset({ seed: 0 });
  const [, pid] = original ? await timeTheirs(original, { pictures }) : [];
  const used = { ours: processorTime(process.pid, pid), original: pid === undefined ? 0 : processorTime(pid) };
  for (let seed = 1; seed <= episodes; seed += 1) {
    const { observation: seen } = await timed('reset', () => env.reset({ seed }));
    if (original) times.original.reset.push((await timeTheirs(original, { pictures, seed }))[0]);
    const box = seen.elements.find(({ role }) => role === 'checkbox')!;
    const [input] = inputsOf(`click('${box.mark}')`, seen.elements)!;
    for (let step = 0; step < STEPS; step += 1) {
      await timed('step', () => env.step(writtenCall(input!)));
      if (original) times.original.step.push((await timeTheirs(original, { pictures, action: input }))[0]);
    }
  }
  const spent = {
    ours: processorTime(process.pid, pid) - used.ours,
    original: pid === undefined ? 0 : processorTime(pid) - used.original,
  };
  await env.close();
  await original?.close();
  const title = pictures ? 'with pictures' : 'text';
  for (const call of ['reset', 'step'] as const) {
    const shown = (['ours', 'original'] as const).flatMap((side) => {
      const list = times[side][call];
      return list.length === 0 ? [] : [`${side} ${at(list, 0.1).toFixed(0)} ms, ${at(list, 0.5).toFixed(0)} ms`];
    });
    const ratio = original
      ? `, ${(at(times.original[call], 0.5) / at(times.ours[call], 0.5)).toFixed(1)}x by medians`
      : '';
    console.log(`${title}: ${call} (fastest tenth, median) ${shown.join('; ')}${ratio}`);
  }
  const perStep = (side: Side) => (spent[side] / (episodes * (STEPS + 1))).toFixed(0);
  const theirs = original ? `; original ${perStep('original')} ms, ${(spent.original / spent.ours).toFixed(1)}x` : '';
  console.log(`${title}: processor time per call ours ${perStep('ours')} ms${theirs}`);
}
if (python === undefined) console.log('without the original: name a Python that has miniwob 1.1.0');
