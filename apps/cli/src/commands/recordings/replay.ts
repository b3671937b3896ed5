import { readTrajectories, replay, type Trajectory } from '@vlgym/core/trajectory';
import { z } from 'zod';
import { defineCommand } from '../../command-line/command.js';
import { importEnvironments, importOption } from '../../environments.js';
import { recordingsIn } from '../../folders/recordings.js';
import { dim, green, red } from '../../terminal/style.js';

export const replayCommand = defineCommand({
  name: 'replay',
  summary: 'play recorded episodes again and verify every step',
  description:
    'Rebuilds each environment from its spec, resets it with the recorded seed, plays the recorded actions and compares observations (by hash), rewards and end flags. No model is needed. The exit code is 0 when every episode agrees. Files of others are safe to replay: they choose only among environments that come with vlgym or that --import names, and never name code, a program or a folder to use.',
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
  async run({ path, show, import: modules, envOptions, limit = Number.POSITIVE_INFINITY }, { stdout, signal }) {
    await importEnvironments(modules);
    let count = 0;
    let wrong = 0;
    for await (const trajectory of trajectoriesIn(await recordingsIn(path))) {
      if (count >= limit || signal.aborted) break;
      count += 1;
      const report = await replay(trajectory, envOptions ? { envOptions } : {});
      if (!report.ok) wrong += 1;
      const difference = report.mismatch
        ? `step ${report.mismatch.at}: ${report.mismatch.field} was ${JSON.stringify(report.mismatch.recorded)}, is ${JSON.stringify(report.mismatch.replayed)}`
        : `${report.steps} steps agree`;
      stdout.write(`${report.ok ? green('✓') : red('✗')} ${trajectory.id}  ${difference}\n`);
      if (report.hint !== undefined) stdout.write(`  hint: ${printable(report.hint)}\n`);
      if (show) stdout.write(describe(trajectory));
    }
    stdout.write(`${count - wrong} of ${count} episodes agree\n`);
    return wrong > 0 || count === 0 ? 1 : 0;
  },
});

async function* trajectoriesIn(paths: readonly string[]): AsyncGenerator<Trajectory> {
  for (const path of paths) yield* readTrajectories(path);
}

function describe(trajectory: Trajectory): string {
  return trajectory.steps
    .map((step) => {
      // a step that was stopped before the environment has no action
      const action = step.actionText ?? (step.action === undefined ? '(none)' : JSON.stringify(step.action));
      const row = `${String(step.index + 1).padStart(3)}  ${printable(action).padEnd(8)} ${String(step.reward).padStart(4)}`;
      return `  ${row}  ${dim(printable(step.thought ?? ''))}\n`;
    })
    .join('');
}

/** Removes control characters, because the terminal would execute them and the text is untrusted. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ');
}
