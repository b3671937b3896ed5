/** The operations of the protocol `vlgym.env/1`: one environment, or a vector of them, per process. */
import {
  type AnyEnv,
  type ChatMessage,
  findRegistration,
  GymError,
  type Info,
  type MakeOptions,
  type ResetOptions,
  type Space,
  type VectorEnv,
} from '@vlgym/core';
import { isRecord, toJson } from '@vlgym/core/internal';
import { SerialVectorEnv } from '@vlgym/core/vector';
import type { Moment, ServedEpisode } from '@vlgym/serve/episode';
import manifest from '../../package.json';
import { FrameError, NdArray, PROTOCOL } from '../frames/codec.js';
import { fromWire, plainData, toWire } from '../frames/values.js';
import { PictureBlock } from './picture-block.js';
import type { EnvSource, Wanted } from './sources.js';
import { stackedObservations } from './stacked.js';

type Request = { readonly op: string } & Readonly<Record<string, unknown>>;
type Answer = Readonly<Record<string, unknown>>;

export class EnvOperations {
  readonly #source: EnvSource;
  readonly #greeting: Answer;
  #greeted = false;
  #episode: ServedEpisode | undefined;
  #vector: VectorEnv | undefined;
  #pictures: PictureBlock | undefined;

  /** @param greeting  Fields of the answer to "hello" in addition to versions. */
  constructor(source: EnvSource, greeting: Answer = {}) {
    this.#source = source;
    this.#greeting = greeting;
  }

  async run(request: Request): Promise<Answer> {
    if (!isRecord(request) || typeof request.op !== 'string')
      throw new FrameError('A request has no operation.', request);
    if (request.op === 'hello') return this.#hello(request);
    if (!this.#greeted) throw new FrameError('Expected "hello" first.', request.op);
    switch (request.op) {
      case 'list':
        return { environments: (await this.#source.list(String(request.module ?? ''))).map(listed) };
      case 'make':
        return this.#make(request);
      case 'reset':
        return this.#seen(await this.#one.reset(resetOf(request)));
      case 'step':
        return this.#seen(await this.#one.act(fromWire(this.#one.env.actionSpace, request.action)));
      case 'respond':
        return this.#prompted(await this.#one.respond(String(request.text)));
      case 'act_in_words':
        return this.#prompted(await this.#one.actInWords(String(request.action)));
      case 'prompt':
        return this.#prompted(this.#one.moment);
      case 'render':
        return { frame: (await this.#one.env.render()) ?? null };
      case 'state':
        return { state: this.#one.state };
      case 'mask':
        return { mask: this.#one.env.actionMask?.() ?? null };
      case 'snapshot':
        return { snapshot: await this.#one.snapshot() };
      case 'restore':
        return this.#seen(await this.#one.restore(plainData(request.snapshot)));
      case 'reset_many':
        return this.#resetMany(request);
      case 'step_many':
        return this.#stepMany(request);
      case 'render_many':
        return { frames: await this.#many.render() };
      case 'close':
        await this.close();
        return {};
      default:
        throw new FrameError(`Unknown operation "${request.op}".`, request.op);
    }
  }

  async close(): Promise<void> {
    const [episode, vector] = [this.#episode, this.#vector];
    this.#episode = undefined;
    this.#vector = undefined;
    this.#pictures = undefined;
    await episode?.close();
    await vector?.close();
  }

  #hello({ protocol }: Request): Answer {
    if (protocol !== PROTOCOL) {
      throw new GymError(`The protocol ${String(protocol)} of the client is not ${PROTOCOL}.`, {
        code: 'PROTOCOL_MISMATCH',
        value: protocol,
        expected: PROTOCOL,
        hint: 'install the same release of the Python package and of vlgym',
      });
    }
    this.#greeted = true;
    return { protocol: PROTOCOL, version: manifest.version, node: process.version, ...this.#greeting };
  }

  async #make({
    id,
    module,
    options,
    render_mode: renderMode,
    max_episode_steps: limit,
    num_envs: count,
    autoreset,
  }: Request) {
    await this.close();
    const settings: MakeOptions = {
      ...(isRecord(options) && Object.keys(options).length > 0
        ? { options: plainData(options) as Record<string, unknown> }
        : {}),
      ...(typeof renderMode === 'string' ? { renderMode: renderMode as 'rgb_array' } : {}),
      ...(typeof limit === 'number' ? { maxEpisodeSteps: limit } : {}),
    };
    const numEnvs = typeof count === 'number' ? count : undefined;
    if (numEnvs !== undefined && !(Number.isSafeInteger(numEnvs) && numEnvs >= 1)) {
      throw new GymError(`num_envs is ${numEnvs}.`, {
        code: 'INVALID_OPTION',
        value: numEnvs,
        expected: 'a whole number of 1 or more',
      });
    }
    const wanted: Wanted = { id: String(id), module: String(module), settings, numEnvs };
    await this.#source.check(wanted);
    if (numEnvs !== undefined) return this.#makeMany(wanted, numEnvs, String(autoreset ?? 'next-step') as 'next-step');
    this.#episode = await this.#source.episode(wanted);
    const { observationSpace, actionSpace, metadata } = this.#episode.env;
    return described(observationSpace, actionSpace, metadata);
  }

  async #makeMany(wanted: Wanted, numEnvs: number, autoreset: 'next-step'): Promise<Answer> {
    const first = await this.#source.env(wanted);
    this.#pictures = PictureBlock.of(first.observationSpace, numEnvs);
    let unused: AnyEnv | undefined = first;
    const create = async () => {
      const env = unused ?? (await this.#source.env(wanted));
      unused = undefined;
      return env;
    };
    const { frames, drawn } = this.#pictures ?? {};
    const vector = await SerialVectorEnv.create<unknown, unknown, Info>(create, {
      numEnvs,
      autoreset,
      ...(frames && { frames }),
      ...(drawn && { drawn }),
    });
    this.#vector = vector;
    return described(vector.singleObservationSpace, vector.singleActionSpace, vector.metadata);
  }

  get #one(): ServedEpisode {
    if (!this.#episode) throw new FrameError('Expected "make" first.');
    return this.#episode;
  }

  get #many(): VectorEnv {
    if (!this.#vector) throw new FrameError('Expected "make" with num_envs first.');
    return this.#vector;
  }

  #seen({ observation, info, reward, terminated, truncated }: Moment): Answer {
    const wire = toWire(this.#one.env.observationSpace, observation);
    return { observation: wire, info: infoToWire(info), reward, terminated, truncated };
  }

  #prompted(moment: Moment): Answer {
    const { parsed } = moment;
    return {
      messages: this.#one.messages().map(messageToWire),
      reward: moment.reward,
      terminated: moment.terminated,
      truncated: moment.truncated,
      info: infoToWire(moment.info),
      ...(parsed && { legal: parsed.legal, reason: parsed.reason ?? null, repair_hint: parsed.repairHint ?? null }),
    };
  }

  async #resetMany({ seed, options, mask }: Request): Promise<Answer> {
    const { observations, infos } = await this.#many.reset({
      ...(seed === null || seed === undefined ? {} : { seed: seedOf(seed) }),
      ...(isRecord(options) ? { options: plainData(options) as Record<string, unknown> } : {}),
      // a view, because the vector looks at the length first
      ...(mask instanceof NdArray ? { resetMask: mask.data as unknown as ArrayLike<number> } : {}),
    });
    return {
      ...this.#stacked(observations),
      infos: infos.map((info) => infoToWire(info)),
    };
  }

  async #stepMany({ actions }: Request): Promise<Answer> {
    const space = this.#many.singleActionSpace;
    const given = actions instanceof NdArray ? plainData(actions) : actions;
    const list: readonly unknown[] = Array.isArray(given) ? given : [];
    // the vector refuses a wrong number of actions, so they need not be decoded
    const isComplete = list.length === this.#many.numEnvs;
    const result = await this.#many.step(isComplete ? list.map((action) => fromWire(space, action)) : list);
    return {
      ...this.#stacked(result.observations),
      rewards: new NdArray('<f8', [result.rewards.length], result.rewards),
      terminated: new NdArray('|b1', [result.terminated.length], result.terminated),
      truncated: new NdArray('|b1', [result.truncated.length], result.truncated),
      infos: result.infos.map((info) => this.#vectorInfo(info as Info)),
    };
  }

  #stacked(observations: readonly unknown[]): Answer {
    return this.#pictures?.answer() ?? stackedObservations(this.#many.singleObservationSpace, observations);
  }

  /** The last observation of an episode that ended in the same step is a member of the space. */
  #vectorInfo({ finalObservation, finalInfo, ...info }: Info): unknown {
    const space = this.#many.singleObservationSpace;
    return {
      info: infoToWire(info),
      ...(finalInfo === undefined
        ? {}
        : { final: { observation: toWire(space, finalObservation), info: infoToWire(finalInfo as Info) } }),
    };
  }
}

/** An entry for the registry of another language. */
const listed = (id: string) => ({ id, nondeterministic: findRegistration(id).nondeterministic ?? false });

const described = (
  observation: Space,
  action: Space,
  metadata: { renderModes: readonly string[]; renderFps?: number },
) => ({
  observation_space: observation.toJSON(),
  action_space: action.toJSON(),
  metadata: { render_modes: metadata.renderModes, render_fps: metadata.renderFps ?? null },
});

/** Pictures and arrays stay arrays. */
function infoToWire(info: Info): unknown {
  return toJson(info, { image: (image) => image as never, array: (array) => array as never });
}

const messageToWire = ({ role, content }: ChatMessage) => ({
  role,
  content: typeof content === 'string' ? [{ type: 'text', text: content }] : content.map((part) => ({ ...part })),
});

function resetOf({ seed, options }: Request): ResetOptions {
  return {
    ...(seed === null || seed === undefined ? {} : { seed: Number(seed) }),
    ...(isRecord(options) && Object.keys(options).length > 0
      ? { options: plainData(options) as Record<string, unknown> }
      : {}),
  };
}

const seedOf = (seed: unknown): number | number[] => (Array.isArray(seed) ? seed.map(Number) : Number(seed));
