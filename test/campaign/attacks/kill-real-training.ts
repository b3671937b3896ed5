/** The transformer on libtorch, and the built command line, killed in the middle of an update: bit for bit like others. */
import { cp, mkdtemp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vlgym } from '../../support/vlgym.js';
import type { Attack, Finding } from '../attack.js';
import { runScript } from '../support/child.js';
import { differences, endOf, type RunEnd } from '../support/training-check.js';

const SCRIPT = fileURLToPath(new URL('../../algos-resume-child.ts', import.meta.url));
const TSX = createRequire(import.meta.url).resolve('tsx');
const PRESETS = ['vl-dac', 'gtr-turbo-kl', 'gtr-turbo-sft'];
const UPDATES = '3';
const LIMIT = { preload: [TSX], timeout: 600_000 };

const undisturbed = new Map<string, Promise<RunEnd>>();

export const killTorchTraining: Attack = {
  name: 'kill-torch-training',
  about: 'training of a transformer on libtorch killed at a random step, one to three times, then resumed',
  weight: 2,
  least: PRESETS.length,
  async run({ index, rng, folder }) {
    const preset = PRESETS[index % PRESETS.length]!;
    const train = (run: string, killAt?: number) => {
      const killWhen = (output: string) => output.split('working').length > killAt!;
      return runScript(SCRIPT, { args: [preset, run, UPDATES], ...LIMIT, ...(killAt !== undefined && { killWhen }) });
    };
    const whole = undisturbed.get(preset) ?? trainWhole((run) => train(run));
    undisturbed.set(preset, whole);
    const expected = await whole;

    const run = join(folder, 'run');
    const moments = Array.from({ length: rng.integers(1, 4) }, () => rng.integers(1, 60));
    let kills = 0;
    for (const moment of moments) if ((await train(run, moment)).signal === 'SIGKILL') kills += 1;
    const story = `${preset} killed after ${moments.join(', then ')} steps`;
    const resumed = await train(run);
    const counts = { kills, runs: 1 };
    if (resumed.code === 0) return { counts, findings: differences(expected, await endOf(run), story) };
    const detail = `${story}\n${resumed.stderr}`;
    return { counts, findings: [{ title: 'a killed training cannot be resumed', detail }] };
  },
};

async function trainWhole(train: (run: string) => Promise<{ readonly stderr: string; readonly code: number | null }>) {
  const run = join(await mkdtemp(join(tmpdir(), 'vlgym-undisturbed-')), 'run');
  const { code, stderr } = await train(run);
  if (code !== 0) throw new Error(`an undisturbed training failed: ${stderr}`);
  return endOf(run);
}

const SMALL =
  '--num-envs 2 --steps-per-update 8 --updates 2 --evaluation-episodes 2 --warm-start-examples 32 --threads 1';
interface WholeCommand {
  readonly folder: string;
  readonly end: RunEnd;
  /** Number of messages that it sent to its parent. */
  readonly messages: number;
}

let commandLine: Promise<WholeCommand> | undefined;

const words = (run: string) => ['train', 'vl-dac', ...SMALL.split(' '), '--folder', run];

export const killCommandLine: Attack = {
  name: 'kill-command-line',
  about: '`vlgym train` killed at a random message, then `--resume`',
  async run({ rng, folder }) {
    commandLine ??= trainCommand();
    const whole = await commandLine;
    const run = join(folder, 'run');
    await cp(join(whole.folder, 'start'), join(run, 'start'), { recursive: true });
    const last = rng.integers(1, whole.messages);
    let messages = 0;
    const killed = await vlgym(words(run), {
      onMessage: (_, child) => {
        messages += 1;
        if (messages === last) child.kill('SIGKILL');
      },
    });
    const resumed = await vlgym([...words(run), '--resume']);
    const story = `killed at message ${last} of ${whole.messages}`;
    const findings: Finding[] =
      resumed.code === 0
        ? differences(whole.end, await endOf(run), story)
        : [{ title: 'a killed training cannot be resumed', detail: `${story}\n${resumed.stderr}` }];
    return { counts: { kills: killed.code === null ? 1 : 0, runs: 1 }, findings };
  },
};

async function trainCommand(): Promise<WholeCommand> {
  const whole = join(await mkdtemp(join(tmpdir(), 'vlgym-undisturbed-')), 'run');
  const start = await vlgym(words(whole));
  if (start.code !== 0) throw new Error(`an undisturbed training failed: ${start.stderr}`);
  // the killed ones start from the same warm start, so their messages are counted from there, too
  const folder = join(await mkdtemp(join(tmpdir(), 'vlgym-undisturbed-')), 'run');
  await cp(join(whole, 'start'), join(folder, 'start'), { recursive: true });
  let messages = 0;
  await vlgym(words(folder), {
    onMessage: () => {
      messages += 1;
    },
  });
  return { folder: whole, end: await endOf(whole), messages };
}
