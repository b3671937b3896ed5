import { GymError } from '@vlgym/core';
import { type ReplayReport, readTrajectories, replay, type Trajectory } from '@vlgym/core/trajectory';
import { z } from 'zod';
import { forCommandLine } from '../../command-line/cli-hints.js';
import { defineCommand } from '../../command-line/command.js';
import { importEnvironments, importOption } from '../../environments.js';
import { recordingsIn } from '../../folders/recordings.js';
import { printable } from '../../terminal/printable.js';
import { dim, green, red } from '../../terminal/style.js';

export const replayCommand = defineCommand({
  name: 'replay',
  summary: 'play recorded episodes again and verify every step',
  description:
    'Rebuilds each environment from its spec, resets it with the recorded seed, plays the recorded actions and compares observations (by hash), rewards, end flags and the outcome. No model is needed. The exit code is 0 when every episode agrees. Files of others are safe to replay: they choose only among environments that come with vlgym or that --import names, and never name code, a program or a folder to use.',
  positional: 'path',
  options: z.object({
    path: z.string().describe('a run, a recording, a suite, or an episodes.jsonl'),
    show: z.boolean().default(false).describe('print thought, action and reward of every step'),
    ...importOption,
    envOptions: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('your options of the environments, in place of what the files say, e.g. a folder of data'),
    limit: z.number().int().positive().optional().describe('at most this many episodes'),
  }),
  examples: [
    { command: 'vlgym replay runs/quickstart/vl-dac-0', does: 'verify the episodes of a run' },
    { command: 'vlgym replay episodes.jsonl --show --limit 1', does: 'read one episode in the terminal' },
  ],
  async run({ path, show, import: modules, envOptions, limit = Number.POSITIVE_INFINITY }, { stdout, stderr, signal }) {
    await importEnvironments(modules);
    const say = (line: string) => stdout.write(`${line}\n`);
    const told = new Set<string>();
    const explain = (error: unknown) => {
      const text = failure(error);
      if (!told.has(text)) stderr.write(`${text}\n`);
      told.add(text);
    };
    let count = 0;
    let wrong = 0;
    for await (const trajectory of trajectoriesIn(await recordingsIn(path), explain)) {
      if (count >= limit || signal.aborted) break;
      count += 1;
      try {
        const report = await replay(trajectory, envOptions ? { envOptions } : {});
        if (!report.ok) wrong += 1;
        say(`${report.ok ? green('✓') : red('✗')} ${printable(trajectory.id)}  ${verdict(report)}`);
        if (report.hint !== undefined) say(`  hint: ${printable(report.hint)}`);
      } catch (error) {
        if (signal.aborted) throw error;
        wrong += 1;
        say(`${red('✗')} ${printable(trajectory.id)}  ${GymError.isInstance(error) ? error.code : 'cannot be played'}`);
        explain(error);
      }
      if (show) stdout.write(describe(trajectory));
    }
    stdout.write(`${count - wrong} of ${count} episodes agree\n`);
    return wrong > 0 || count === 0 ? 1 : 0;
  },
});

/** @param explain  Told what of a file was dropped, such as its torn end. */
async function* trajectoriesIn(
  paths: readonly string[],
  explain: (problem: unknown) => void,
): AsyncGenerator<Trajectory> {
  for (const path of paths) {
    const reader = readTrajectories(path);
    yield* reader;
    for (const problem of reader.problems) explain(problem);
  }
}

function verdict({ mismatch, steps }: ReplayReport): string {
  if (mismatch === undefined) return `${steps} steps agree`;
  const { at, field, recorded, replayed } = mismatch;
  const place = typeof at === 'number' ? `step ${at}` : at;
  const [was, is] = [recorded, replayed].map((value) => printable(JSON.stringify(value) ?? 'nothing'));
  return `${place}: ${field} was ${was}, is ${is}`;
}

/** Code and message of an error; its further lines, indented, say what was expected and what to do. */
function failure(error: unknown): string {
  if (!GymError.isInstance(error)) return printable(String(error), 500);
  const [message = '', ...more] = forCommandLine(error).split('\n');
  return [
    `${error.code} ${printable(message, 500)}`,
    ...more.slice(0, 2).map((line) => `  ${printable(line.trim(), 500)}`),
  ].join('\n');
}

function describe(trajectory: Trajectory): string {
  return trajectory.steps
    .map((step) => {
      // a step that was stopped before the environment has no action
      const action = step.actionText ?? (step.action === undefined ? '(none)' : JSON.stringify(step.action));
      const row = `${String(step.index + 1).padStart(3)}  ${printable(action).padEnd(8)} ${String(step.reward).padStart(4)}`;
      return `  ${row}  ${dim(printable(step.thought ?? '', 2_000))}\n`;
    })
    .join('');
}
