/** Playing in the terminal: goal and rules, what the environment shows as text, actions as words, the reason for the end. */
import { type AgentContext, type EpisodeRow, evaluate, humanAgent } from '@vlgym/agents';
import { findRegistration, make } from '@vlgym/core';
import { guideOf } from '@vlgym/core/registry';
import { TrajectoryWriter } from '@vlgym/core/trajectory';
import { ending, type PlayOptions } from './options.js';
import { Watched } from './watched.js';

export async function playInTerminal({ id, seed, episodes = 1, envOptions, record, stdout, signal }: PlayOptions) {
  const registration = findRegistration(id);
  const env = new Watched(await make(id, { options: envOptions, renderMode: 'ansi' }));
  const canUndo = env.snapshot !== undefined && env.restore !== undefined;
  const person = humanAgent({ undo: canUndo });
  /** Actions to take without asking, after a step was taken back. */
  let script: unknown[] = [];
  const agent = {
    ...person,
    act: (context: AgentContext) => (script.length > 0 ? { action: script.shift(), text: '' } : person.act(context)),
  };
  const guide = guideOf(registration, { ...envOptions, renderMode: 'ansi' });
  stdout.write(`${registration.title ?? id}\n`);
  if (guide) stdout.write(`${guide.goal}\n${guide.rules}\n${guide.score}\n`);
  stdout.write('\n');
  const rows: EpisodeRow[] = [];
  let writer: TrajectoryWriter | undefined;
  try {
    writer = record ? await TrajectoryWriter.open(record) : undefined;
    for (let index = 0; index < episodes; ) {
      const result = await evaluate({ env, agent, seeds: [seed + index], signal, ...(writer && { record: writer }) });
      const row = result.episodes[0];
      if (!row || signal.aborted) break;
      if (row.error?.code === 'HUMAN_UNDO') {
        // left and played again, so that the recording can be replayed
        script = env.history.slice(0, -1).map(({ action }) => action);
        continue;
      }
      const reason = row.error || !env.result ? undefined : env.unwrapped.describeEnd?.(env.result);
      stdout.write(`\n${ending(row)}${reason === undefined ? '' : ` ${reason}`}\n\n`);
      rows.push(row);
      if (row.error?.code === 'HUMAN_QUIT') break;
      index += 1;
    }
    if (rows.length > 1) {
      const solved = rows.filter(({ success }) => success).length;
      const mean = rows.reduce((sum, row) => sum + row.return, 0) / rows.length;
      stdout.write(`${solved} of ${rows.length} solved, mean score ${mean.toFixed(2)}\n`);
    }
  } finally {
    await person.close?.();
    await writer?.close();
    await env.close();
  }
}
