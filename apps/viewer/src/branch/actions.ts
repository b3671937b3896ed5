/** The page's orders beyond reading: to play an episode again, to continue it, to let two agents play, to ask one. */
import { join } from 'node:path';
import { FALLBACKS } from '@vlgym/agents';
import { GymError, makeFromUntrustedSpec } from '@vlgym/core';
import { SerialQueue } from '@vlgym/core/internal';
import { replay, type Trajectory, TrajectoryWriter, trajectorySchema } from '@vlgym/core/trajectory';
import { TO_THE_END } from '../episodes/played-episodes.js';
import { readTokens, readWhole } from '../episodes/read-episode.js';
import { BRANCHES_FOLDER, PAIRS_FOLDER, type Run } from '../folders/run.js';
import { number, record, text } from '../folders/values.js';
import type { EpisodeRow, EpisodeSet, PlayedPair, TokenPlace, Verification } from '../protocol.js';
import { missing } from '../server/api.js';
import { type AgentRequest, agentsOf, canTalk, hasWeights, NOBODY, type OpenedAgent, RECORDED } from './agents.js';
import { alternatives } from './alternatives.js';
import { type EditedPicture, editedPicture, seeing } from './edited-picture.js';
import { type BranchPlan, type PlayedBefore, playBranch } from './play-branch.js';
import { readSaid, talk } from './talk.js';

type Order = Readonly<Record<string, unknown>>;

/** One episode that is to be played and recorded. */
interface Side extends Pick<BranchPlan, 'at' | 'response' | 'id' | 'signal'> {
  readonly trajectory: PlayedBefore & Pick<Trajectory, 'env' | 'metadata'>;
  readonly name: string;
  readonly picture: EditedPicture | undefined;
  /** Below the folder of the run. */
  readonly folder: string;
  readonly group?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface ActionsOptions {
  /** Names of agents that can continue an episode. Default: none, so that branches follow the recording. */
  readonly agents?: readonly string[] | undefined;
  readonly openAgent?: ((request: AgentRequest) => Promise<OpenedAgent>) | undefined;
  /** The reader's options of environments, e.g. a folder of data, in place of those of the files. */
  readonly envOptions?: Readonly<Record<string, unknown>> | undefined;
}

export class Actions {
  readonly #offered: readonly string[];
  readonly #options: ActionsOptions;
  readonly #queue = new SerialQueue();

  constructor(options: ActionsOptions) {
    this.#options = options;
    this.#offered = [RECORDED, NOBODY, ...(options.agents ?? [])];
  }

  /** Those that can play on in a run. */
  agents(run: Run): Promise<readonly string[]> {
    return agentsOf(run, this.#offered);
  }

  /** Plays the actions again and compares every observation, reward and end. */
  async verify(run: Run, order: Order): Promise<Verification> {
    const trajectory = await this.#trajectory(run, order);
    const report = await replay(trajectory, { make: (spec) => this.#make(spec) });
    const { mismatch } = report;
    const words =
      mismatch &&
      `${typeof mismatch.at === 'number' ? `step ${mismatch.at}` : mismatch.at}: ${mismatch.field} was ${show(mismatch.recorded)}, is ${show(mismatch.replayed)}`;
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
    const at = stepOf(order, trajectory);
    const name = await this.#agentOf(run, order, 'agent');
    const response = text(order.response);
    const picture = editedPicture(order.picture);
    if (picture && (!canTalk(name) || response !== undefined)) {
      throw invalid('picture', name, 'for an agent that looks at pictures, and answers this step itself');
    }
    const set = text(order.set) ?? '';
    const branch = {
      ...{ parent: trajectory.id, at, set, agent: name },
      ...(response !== undefined && { response }),
      ...(picture && { picture: picture.hash }),
    };
    const side = { trajectory, name, at, response, picture, folder: BRANCHES_FOLDER, metadata: { branch }, signal };
    return this.#queue.run(async () => ({
      ...(await this.#play(run, side)),
      parent: trajectory.id,
      at,
      parentSet: set,
    }));
  }

  /** Two agents on one seed, each from the start; kept next to the run as a group of two. One at a time. */
  async pair(run: Run, order: Order, signal: AbortSignal): Promise<PlayedPair> {
    const recorded = await this.#trajectory(run, order);
    const names = [await this.#agentOf(run, order, 'first'), await this.#agentOf(run, order, 'second')] as const;
    if (names[0] === names[1] || names.includes(NOBODY)) throw invalid('second', names[1], 'another agent');
    const seed = number(order.seed) ?? recorded.seed;
    if (seed === undefined || !Number.isSafeInteger(seed) || seed < 0)
      throw invalid('seed', order.seed, 'a whole number');
    const isOther = seed !== recorded.seed;
    if (isOther && names.includes(RECORDED)) throw invalid('seed', seed, `${recorded.seed}, the recorded one`);
    const { observation: _, ...start } = recorded;
    const trajectory = isOther ? { ...start, seed, steps: [] } : recorded;
    return this.#queue.run(async () => {
      const known = new Set((await run.pairs.all(TO_THE_END)).map((row) => row.group));
      const group = `pair-${seed}-${known.size}`;
      const side = (which: 'first' | 'second', name: string) =>
        this.#play(run, {
          ...{ trajectory, name, at: 0, response: undefined, picture: undefined },
          ...{
            folder: PAIRS_FOLDER,
            id: `${group}-${which}`,
            group,
            metadata: { arena: { side: which, agent: name } },
            signal,
          },
        });
      return { group, first: await side('first', names[0]), second: await side('second', names[1]) };
    });
  }

  /** A question about a step to an agent with words. */
  async talk(run: Run, order: Order, signal: AbortSignal): Promise<{ readonly answer: string }> {
    const trajectory = await this.#trajectory(run, order);
    const at = stepOf(order, trajectory);
    const said = readSaid(order.said);
    const name = await this.#agentOf(run, order, 'agent');
    if (!canTalk(name)) throw invalid('agent', name, 'an agent with words');
    return this.#queue.run(async () => {
      const env = envOf(trajectory);
      const opened = await this.#open(run, name, env.id, 'talk');
      try {
        const answer = await talk({ trajectory, at, said, agent: opened!.agent, env: await this.#make(env), signal });
        return { answer };
      } finally {
        await opened?.close?.();
      }
    });
  }

  /** The likeliest tokens at each place of a recorded answer, under weights of the run. */
  async alternatives(run: Run, order: Order, signal: AbortSignal): Promise<{ readonly places: readonly TokenPlace[] }> {
    const trajectory = await this.#trajectory(run, order);
    const at = stepOf(order, trajectory);
    const name = await this.#agentOf(run, order, 'agent');
    if (!hasWeights(name)) throw invalid('agent', name, 'the policy of the run, or a checkpoint of it');
    const { index } = trajectory.steps[at]!;
    const tokens = await readTokens(run, (text(order.set) ?? 'played') as EpisodeSet, trajectory.id, index);
    const temperature = await run.temperature();
    return this.#queue.run(async () => {
      const env = envOf(trajectory);
      const opened = await this.#open(run, name, env.id, 'tokens');
      try {
        const made = await this.#make(env);
        const asked = { trajectory, at, tokenIds: tokens?.ids ?? [], temperature, opened, env: made, signal };
        return { places: await alternatives(asked) };
      } finally {
        await opened?.close?.();
      }
    });
  }

  async #play(run: Run, side: Side): Promise<EpisodeRow> {
    const { trajectory, name, picture, group, metadata, signal, folder, at, response, id } = side;
    const env = envOf(trajectory);
    const opened = await this.#open(run, name, env.id, 'play');
    const writer = await TrajectoryWriter.open(join(run.folder, folder));
    try {
      const { fallback, maxSteps } = trajectory.metadata ?? {};
      return await playBranch({
        ...{ trajectory, at, response, id, signal },
        agent: opened && (picture ? seeing(opened.agent, picture) : opened.agent),
        follow: name === RECORDED,
        env: await this.#make(env),
        fallback: FALLBACKS.find((each) => each === fallback),
        maxSteps: number(maxSteps),
        record: (start) =>
          writer.start({
            ...start,
            agent: { name: name === RECORDED || name === NOBODY ? (group ? name : 'branch') : name },
            metadata: { ...metadata, ...(fallback !== undefined && { fallback }) },
            ...(group !== undefined && { group }),
          }),
      });
    } finally {
      await opened?.close?.();
      await writer.close();
    }
  }

  async #agentOf(run: Run, order: Order, field: string): Promise<string> {
    const name = text(order[field]) ?? RECORDED;
    const known = await this.agents(run);
    if (!known.includes(name)) throw invalid(field, order[field], `one of ${known.join(', ')}`);
    return name;
  }

  async #open({ folder }: Run, name: string, env: string, purpose: AgentRequest['purpose']) {
    if (name === RECORDED || name === NOBODY) return undefined;
    return this.#options.openAgent?.({ name, folder, env, purpose });
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

function stepOf({ at: given }: Order, { steps }: Trajectory): number {
  const at = number(given) ?? -1;
  if (Number.isSafeInteger(at) && at >= 0 && at < steps.length) return at;
  throw invalid('at', given, `a step of the episode, 0 to ${steps.length - 1}`);
}

function envOf({ id, env }: Pick<Trajectory, 'id' | 'env'>) {
  if (!env) throw invalid('episode', id, 'an episode of an environment that was made with `make`');
  return env;
}

const show = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200);

const invalid = (name: string, value: unknown, expected: string) =>
  new GymError(`\`${name}\` is not ${expected}.`, { code: 'INVALID_OPTION', value, expected, hint: 'choose another' });
