/**
 * `vlgym verify miniwob`: fresh episodes of ours, played again in miniwob 1.1.0 through Selenium.
 *
 * What is played are clicks at pixels, keys and typed texts, which mean the same in both: the expert's actions where it knows
 * the task, and random ones. After each, both wait, for what unfolds or fades.
 */
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { findChromium, installedChromium } from '@vlgym/chromium';
import { Generator } from '@vlgym/core';
import type { Verification, VerificationExtent, VerificationReport } from '@vlgym/core/registry';
import { OriginalProcess, OriginalPython, scriptBeside, Tally } from '@vlgym/core/verification';
import { z } from 'zod';
import { MiniWoBEnv } from '../env/miniwob-env.js';
import { expertTasks } from '../expert/expert.js';
import { pagesFolder } from '../pages/pages-folder.js';
import { setupPages } from '../pages/setup-pages.js';
import { TASKS } from '../tasks/tasks.js';
import { drawInput, type Input, inputsOf, PAGE_ELEMENTS, writtenCall } from './inputs.js';

const MAX_INPUTS = 10;
/** Milliseconds after each input: longer than what unfolds on a page. */
const WAIT = 600;

const python = new OriginalPython({
  name: 'miniwob',
  requirements: ['miniwob==1.1.0', 'gymnasium==1.4.0', 'selenium>=4.20,<5', 'pillow>=11', 'numpy>=2,<3'],
  variable: 'VLGYM_MINIWOB_PYTHON',
});

const played = z.tuple([z.tuple([z.string(), z.unknown()]), z.array(z.tuple([z.number(), z.boolean(), z.unknown()]))]);
type Played = z.output<typeof played>;

export const miniwob: Verification = {
  missing,
  async setup(options) {
    await setupPages(options);
    await python.setup(options);
  },
  compare,
};

function missing(): string | undefined {
  if (python.interpreter === undefined) return "the original's Python";
  if (!installedChromium()) return 'Chromium';
  if (originalBrowser() === undefined) return 'chromedriver (Debian: chromium-driver)';
  try {
    pagesFolder();
  } catch {
    return 'the pages';
  }
  return undefined;
}

/** The original's variables, which name the browser and its driver; `undefined` without a driver. */
export function originalBrowser(): Readonly<Record<string, string>> | undefined {
  const binary = findChromium();
  const folders = [dirname(binary), ...(process.env.PATH ?? '').split(delimiter)].filter((folder) => folder !== '');
  const drivers = folders.flatMap((folder) => ['chromedriver', 'chromedriver.exe'].map((name) => join(folder, name)));
  const driver = process.env.MINIWOB_CHROMEDRIVER || drivers.find((path) => existsSync(path));
  return driver === undefined ? undefined : { MINIWOB_CHROME_BINARY: binary, MINIWOB_CHROMEDRIVER: driver };
}

/** The process of the original. */
export const startOriginal = (interpreter: string, environment: Readonly<Record<string, string>>): OriginalProcess =>
  new OriginalProcess({ command: [interpreter, scriptBeside(import.meta.url, 'original.py')], environment });

async function compare({ episodes, seed, signal }: VerificationExtent): Promise<VerificationReport> {
  const tally = new Tally(['instructions', 'pages at the beginning', 'rewards and ends', 'pages after an action']);
  const original = startOriginal(python.interpreter!, originalBrowser()!);
  const env = new MiniWoBEnv({ observation: 'text' });
  const names = [...TASKS.values()].filter(({ timed }) => !timed).map(({ name }) => name);
  const known = expertTasks().filter((name) => names.includes(name));
  let won = 0;
  try {
    for (let episode = seed; episode < seed + episodes && !signal?.aborted; episode += 1) {
      const random = new Generator(episode);
      // of two episodes, one is the expert's
      const list = episode % 2 === 0 ? known : names;
      const task = list[Math.floor(episode / 2) % list.length]!;
      const [inputs, [begun, rows]] = await play(env, task, episode, random, episode % 2 === 0);
      const request = { do: 'play', task, seed: episode, actions: inputs, wait: WAIT, look: PAGE_ELEMENTS };
      const [theirBegun, theirRows] = played.parse(await original.ask(request));
      const place = `${task}, seed ${episode}`;
      tally.equal('instructions', place, begun[0], theirBegun[0]);
      tally.equal('pages at the beginning', place, begun[1], theirBegun[1]);
      for (const [index, [reward, done, page]] of rows.entries()) {
        const where = `${place}, ${JSON.stringify(inputs.slice(0, index + 1))}`;
        const [theirReward, theirEnd, theirPage] = theirRows[index] ?? [];
        tally.equal('rewards and ends', where, [reward, done], [theirReward, theirEnd]);
        tally.equal('pages after an action', where, page, theirPage);
        if (reward === 1) won += 1;
      }
    }
  } finally {
    await env.close();
    await original.close();
  }
  return { agreements: tally.agreements, notes: [`${won} of ${episodes} episodes ended with the whole reward`] };
}

async function play(
  env: MiniWoBEnv,
  task: string,
  pageSeed: number,
  random: Generator,
  isExpert: boolean,
): Promise<readonly [inputs: readonly Input[], Played]> {
  const look = () => env.page!.evaluate(PAGE_ELEMENTS);
  let { observation, info } = await env.reset({ options: { task, pageSeed } });
  const begun: Played[0] = [observation.utterance, await look()];
  const [inputs, rows]: [Input[], Played[1]] = [[], []];
  for (let over = false; !over && inputs.length < MAX_INPUTS; ) {
    const advised = isExpert ? env.oracle() : undefined;
    const next = (advised === undefined ? undefined : inputsOf(advised, observation.elements)) ?? [
      drawInput(observation, info, random),
    ];
    for (const input of next) {
      if (over) break;
      const step = await env.step(`${writtenCall(input)}\nnoop(${WAIT})`);
      ({ observation, info } = step);
      over = step.terminated || step.truncated;
      inputs.push(input);
      rows.push([step.reward, over, over ? null : await look()]);
    }
  }
  return [inputs, [begun, rows]];
}
