/** Playing on a page: a server, the person as an agent, one evaluation per episode until the page is closed. */
import { type AnyAgent, type EpisodeRow, evaluate } from '@vlgym/agents';
import {
  type AnyEnv,
  findRegistration,
  GymError,
  type Info,
  make,
  type ResetOptions,
  type ResetResult,
  type StepResult,
  type Turn,
  Wrapper,
} from '@vlgym/core';
import { TrajectoryWriter } from '@vlgym/core/trajectory';
import { ending, type PlayOptions } from './options.js';
import { PageTable } from './page-table.js';
import { PlayServer } from './play-server.js';
import { sceneOf } from './view.js';

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
  const stage = (await findRegistration(id).openStage?.(env.unwrapped)) ?? {};
  const table = new PageTable(stage, player);
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
    await writer?.close();
    await env.close();
  }

  async function lastScene(watched: Watched, row: EpisodeRow, played: number) {
    const { last, history } = watched;
    // without an observation, only the reason can be shown
    if (!last)
      throw new GymError(row.error?.message ?? 'The episode could not begin.', {
        code: row.error?.code ?? 'NO_EPISODE',
      });
    return sceneOf({ ...last, env: watched, seed: played, history, verdict: ending(row) }, stage);
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

/** Keeps the result of the last step: the page shows it after the end, when no agent acts. */
class Watched extends Wrapper {
  last: { readonly observation: unknown; readonly info: Info } | undefined;
  history: Turn[] = [];

  override async reset(options?: ResetOptions): Promise<ResetResult<unknown>> {
    this.last = undefined;
    this.history = [];
    this.last = await this.env.reset(options);
    return this.last;
  }

  override async step(action: unknown): Promise<StepResult<unknown>> {
    const result = await this.env.step(action);
    this.history.push({ observation: this.last?.observation, text: '', action, reward: result.reward });
    this.last = result;
    return result;
  }

  /** Recordings describe the environment without this wrapper. */
  protected override extendSpec(inner: NonNullable<AnyEnv['spec']>) {
    return inner;
  }
}
