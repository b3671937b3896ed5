/** Playing on a page: a server, the person as an agent, one evaluation per episode until the page is closed. */
import { type AnyAgent, type EpisodeRow, evaluate } from '@vlgym/agents';
import { type AnyEnv, findRegistration, GymError, make } from '@vlgym/core';
import { guideOf } from '@vlgym/core/registry';
import { TrajectoryWriter } from '@vlgym/core/trajectory';
import { ending, type PlayOptions } from './options.js';
import { PageTable } from './page-table.js';
import { PlayServer } from './play-server.js';
import { TextFace } from './text-face.js';
import { sceneOf } from './view.js';
import { Watched } from './watched.js';

export interface PageOptions extends PlayOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Plays in place of the person, who lets it advance step by step. */
  readonly player?: AnyAgent;
  /** Called with the address as soon as the page can be opened. */
  readonly onListening: (address: string) => void;
}

/** Ends when the page is closed, or when the signal aborts; what was played is recorded either way. */
export async function playOnPage({
  id,
  seed,
  envOptions,
  record,
  port,
  player,
  stdout,
  signal,
  onListening,
}: PageOptions) {
  const closed = new AbortController();
  const over = AbortSignal.any([signal, closed.signal]);
  const env = new Watched(await makeVisible(id, envOptions));
  const registration = findRegistration(id);
  const stage = (await registration.openStage?.(env.unwrapped)) ?? {};
  const face = await TextFace.open(env);
  const guide = guideOf(registration, envOptions);
  const setting = { title: registration.title ?? id, guide, stage, face };
  const table = new PageTable(setting, player);
  const server = new PlayServer(table, { ...(port && { port }), onClosed: () => closed.abort() });
  let writer: TrajectoryWriter | undefined;
  try {
    writer = record ? await TrajectoryWriter.open(record) : undefined;
    onListening(await server.listen());
    for (let next: number | undefined = seed; next !== undefined; next = await table.wanted(over)) {
      table.begin(next);
      const { episodes } = await evaluate({
        env,
        agent: table.agent,
        seeds: [next],
        signal: over,
        ...(writer && { record: writer }),
      });
      const [row] = episodes;
      if (!row || over.aborted) break;
      if (row.error?.code !== 'HUMAN_QUIT') table.show(await lastScene(env, row, next));
      stdout.write(`seed ${next}: ${ending(row)}\n`);
    }
  } finally {
    await server.close();
    await stage.close?.();
    await face.close();
    await writer?.close();
    await env.close();
  }

  async function lastScene(watched: Watched, row: EpisodeRow, played: number) {
    const { last, result, history, totals } = watched;
    // without an observation, only the reason can be shown
    if (!last)
      throw new GymError(row.error?.message ?? 'The episode could not begin.', {
        code: row.error?.code ?? 'NO_EPISODE',
      });
    const reason = row.error || !result ? undefined : watched.unwrapped.describeEnd?.(result);
    const verdict = {
      text: ending(row),
      won: row.success,
      reason: reason ?? reasonOf(row),
      parts: partsOf(history, totals),
    };
    const { refused } = table;
    return sceneOf({ ...last, env: watched, seed: played, history, refused, verdict }, setting);
  }
}

/** With pictures if the environment draws them, else as text, else without rendering. */
async function makeVisible(id: string, options: Readonly<Record<string, unknown>>): Promise<AnyEnv> {
  for (const renderMode of ['rgb_array', 'ansi'] as const) {
    try {
      return await make(id, { options, renderMode });
    } catch (error) {
      if (!GymError.isInstance(error) || error.value !== renderMode) throw error; // another mode may work
    }
  }
  return make(id, { options });
}

/** For environments that give no reason. */
const reasonOf = ({ error, endedBy }: EpisodeRow) =>
  error === undefined && endedBy === 'truncated' ? 'The last step is used.' : undefined;

/** The parts of the score by name, where the environment has names for them; else what was gained and what was lost. */
function partsOf(
  history: readonly { readonly reward: number }[],
  totals: ReadonlyMap<string, number>,
): (readonly [name: string, value: number])[] {
  if (totals.size > 0) return [...totals];
  const sum = (sign: number) =>
    history.reduce((total, { reward }) => (Math.sign(reward) === sign ? total + reward : total), 0);
  const parts = [['gained', sum(1)] as const, ['lost', sum(-1)] as const];
  return parts.every(([, value]) => value !== 0) ? parts : [];
}
