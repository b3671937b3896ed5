/** The page's orders beyond reading: to play an episode again, and to continue it from one of its steps. */
import { join } from 'node:path';
import { type AnyAgent, FALLBACKS } from '@vlgym/agents';
import { GymError, makeFromUntrustedSpec } from '@vlgym/core';
import { SerialQueue } from '@vlgym/core/internal';
import { replay, type Trajectory, TrajectoryWriter, trajectorySchema } from '@vlgym/core/trajectory';
import { readWhole } from '../episodes/read-episode.js';
import { BRANCHES_FOLDER, type Run } from '../folders/run.js';
import { number, record, text } from '../folders/values.js';
import type { EpisodeRow, EpisodeSet, Verification } from '../protocol.js';
import { missing } from '../server/api.js';
import { playBranch } from './play-branch.js';

type Order = Readonly<Record<string, unknown>>;

export interface OpenedAgent {
  readonly agent: AnyAgent;
  close?(): unknown;
}

export interface AgentRequest {
  /** One of `agents`. */
  readonly name: string;
  /** Folder of the run that is looked at. */
  readonly folder: string;
  /** Id of the environment. */
  readonly env: string;
}

export interface ActionsOptions {
  /** Names of agents that can continue an episode. Default: none, so that branches follow the recording. */
  readonly agents?: readonly string[] | undefined;
  readonly openAgent?: ((request: AgentRequest) => Promise<OpenedAgent>) | undefined;
  /** The reader's options of environments, e.g. a folder of data, in place of those of the files. */
  readonly envOptions?: Readonly<Record<string, unknown>> | undefined;
}

/** Plays what was recorded after the replaced step, too. */
const RECORDED = 'recorded';
/** Ends after the replaced step. */
const NOBODY = 'nobody';

export class Actions {
  readonly agents: readonly string[];
  readonly #options: ActionsOptions;
  readonly #queue = new SerialQueue();

  constructor(options: ActionsOptions) {
    this.#options = options;
    this.agents = [RECORDED, NOBODY, ...(options.agents ?? [])];
  }

  /** Plays the actions again and compares every observation, reward and end. */
  async verify(run: Run, order: Order): Promise<Verification> {
    const trajectory = await this.#trajectory(run, order);
    const report = await replay(trajectory, { make: (spec) => this.#make(spec) });
    const { mismatch } = report;
    const words =
      mismatch &&
      `step ${mismatch.at}: ${mismatch.field} was ${show(mismatch.recorded)}, is ${show(mismatch.replayed)}`;
    return {
      ok: report.ok,
      steps: report.steps,
      total: trajectory.steps.length,
      ...(words !== undefined && { difference: report.hint === undefined ? words : `${words}. ${report.hint}` }),
    };
  }

  /** Continues an episode from a step, and records the whole of it next to its run. One at a time. */
  async branch(run: Run, order: Order, signal: AbortSignal): Promise<EpisodeRow> {
    const trajectory = await this.#trajectory(run, order);
    const at = number(order.at) ?? -1;
    if (!(Number.isSafeInteger(at) && at >= 0 && at < trajectory.steps.length)) {
      throw invalid('at', order.at, `a step of the episode, 0 to ${trajectory.steps.length - 1}`);
    }
    const name = text(order.agent) ?? RECORDED;
    if (!this.agents.includes(name)) throw invalid('agent', order.agent, `one of ${this.agents.join(', ')}`);
    const response = text(order.response);
    return this.#queue.run(() =>
      this.#branch(run, { trajectory, at, name, response, set: text(order.set) ?? '' }, signal),
    );
  }

  async #branch(
    run: Run,
    {
      trajectory,
      at,
      name,
      response,
      set,
    }: { trajectory: Trajectory; at: number; name: string; response: string | undefined; set: string },
    signal: AbortSignal,
  ): Promise<EpisodeRow> {
    const { id, env } = trajectory;
    if (!env) throw invalid('episode', id, 'an episode of an environment that was made with `make`');
    const known = name === RECORDED || name === NOBODY;
    const opened = known ? undefined : await this.#options.openAgent?.({ name, folder: run.folder, env: env.id });
    const writer = await TrajectoryWriter.open(join(run.folder, BRANCHES_FOLDER));
    try {
      const { fallback, maxSteps } = trajectory.metadata ?? {};
      const branched = await playBranch({
        trajectory,
        at,
        response,
        agent: opened?.agent,
        follow: name === RECORDED,
        env: await this.#make(env),
        fallback: FALLBACKS.find((each) => each === fallback),
        maxSteps: number(maxSteps),
        signal,
        record: (start) =>
          writer.start({
            ...start,
            agent: { name: name === RECORDED || name === NOBODY ? 'branch' : name },
            metadata: {
              branch: { parent: id, at, set, ...(response !== undefined && { response }), agent: name },
              ...(fallback !== undefined && { fallback }),
            },
          }),
      });
      return { ...branched, parent: id, at, parentSet: set };
    } finally {
      await opened?.close?.();
      await writer.close();
    }
  }

  #make(spec: NonNullable<Trajectory['env']>) {
    const { envOptions } = this.#options;
    return makeFromUntrustedSpec(spec, envOptions ? { options: envOptions } : {});
  }

  /** @throws {GymError} `NOT_REPLAYABLE`: it lacks what is needed to play it again. */
  async #trajectory(run: Run, order: Order): Promise<Trajectory> {
    const id = text(order.id) ?? '';
    const whole = record(await readWhole(run, (text(order.set) ?? 'played') as EpisodeSet, id));
    if (whole.id !== id) return missing('this episode');
    const parsed = trajectorySchema.safeParse(whole);
    if (parsed.success) return parsed.data;
    throw new GymError(`The episode "${id}" cannot be played again: a part of its recording is damaged.`, {
      code: 'NOT_REPLAYABLE',
      value: parsed.error.issues[0]?.message,
      hint: 'vlgym replay says which line it is',
    });
  }
}

const show = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200);

const invalid = (name: string, value: unknown, expected: string) =>
  new GymError(`\`${name}\` is not ${expected}.`, { code: 'INVALID_OPTION', value, expected, hint: 'choose another' });
