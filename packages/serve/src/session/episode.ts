/**
 * One environment as its clients see it: reset, a response in words or an action, state, snapshot.
 *
 * It keeps what every face needs besides the environment: the turns for the dialogue, totals, and whether an episode is
 * running. A response without an action does not step the environment; the client reads why and tries again.
 */
import {
  type AnyEnv,
  type ChatMessage,
  type Dialogue,
  type EnvSnapshot,
  GymError,
  type Info,
  InvalidActionError,
  type ParsedResponse,
  spaceDialogue,
  type Turn,
} from '@vlgym/core';
import { NotRunningError } from '../errors.js';
import { type EpisodeSnapshot, parseEpisodeSnapshot, writeTurn } from './episode-snapshot.js';

export interface Moment {
  readonly observation: unknown;
  readonly info: Info;
  /** `null` after a reset. */
  readonly reward: number | null;
  readonly terminated: boolean;
  readonly truncated: boolean;
  /** How the response was read. */
  readonly parsed?: ParsedResponse;
}

export interface EpisodeState {
  readonly episode_id: string | null;
  readonly step_count: number;
  readonly env: string;
  readonly seed: number | null;
  readonly return: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
}

export interface EpisodeResetOptions {
  readonly seed?: number | undefined;
  readonly episodeId?: string | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

export class Episode {
  readonly dialogue: Dialogue;
  #id: string | null = null;
  #seed: number | null = null;
  #steps = 0;
  #sum = 0;
  #history: Turn[] = [];
  #moment: Moment | undefined;
  #failed = false;

  constructor(
    readonly env: AnyEnv,
    readonly envId: string,
  ) {
    const { observationSpace, actionSpace } = env;
    this.dialogue = env.dialogue ?? spaceDialogue({ title: envId, observationSpace, actionSpace });
  }

  async reset({ seed, episodeId, options }: EpisodeResetOptions = {}): Promise<Moment> {
    this.#failed = true; // until the reset has succeeded
    const { observation, info } = await this.env.reset({
      ...(seed === undefined ? {} : { seed }),
      ...(options && Object.keys(options).length > 0 ? { options } : {}),
    });
    this.#failed = false;
    this.#id = episodeId ?? crypto.randomUUID();
    this.#seed = seed ?? null;
    this.#steps = 0;
    this.#sum = 0;
    this.#history = [];
    return this.#keep({ observation, info, reward: null, terminated: false, truncated: false });
  }

  /** A model's response, read by the environment's dialogue. */
  async respond(text: string): Promise<Moment> {
    const before = this.#running();
    const parsed = this.dialogue.parse(text, { ...before, history: this.#history });
    if (parsed.action !== undefined) return this.act(parsed.action, text, parsed);
    this.#steps += 1;
    return this.#keep({ ...before, reward: 0, parsed });
  }

  /**
   * An action in words, such as `append 7`, from a caller that was asked for the action alone: whatever response format
   * of the dialogue reads it counts. A whole response is accepted, too.
   */
  async actInWords(words: string, thoughts = ''): Promise<Moment> {
    const context = { ...this.#running(), history: this.#history };
    const forms = [JSON.stringify({ thoughts, action: words }), `<think>${thoughts}</think><action>${words}</action>`];
    const isWhole = /"action"\s*:|<action>/.test(words);
    const responses = isWhole ? [words, ...forms] : [...forms, words];
    const read = responses.find((text) => this.dialogue.parse(text, context).action !== undefined);
    return this.respond(read ?? responses[0]!);
  }

  async act(action: unknown, text = '', parsed?: ParsedResponse): Promise<Moment> {
    const before = this.#running();
    if (!this.env.actionSpace.contains(action)) throw new InvalidActionError(action, this.env.actionSpace.describe());
    let result: Awaited<ReturnType<AnyEnv['step']>>;
    try {
      result = await this.env.step(action);
    } catch (error) {
      this.#failed = !GymError.isInstance(error) || error.code !== 'INVALID_ACTION';
      throw error;
    }
    this.#steps += 1;
    this.#sum += result.reward;
    this.#history.push({ observation: before.observation, text, action, reward: result.reward });
    const { observation, info, reward, terminated, truncated } = result;
    return this.#keep({ observation, info, reward, terminated, truncated, ...(parsed && { parsed }) });
  }

  /** The prompt for the next response; after a response without an action, with what is wrong about it. */
  messages(): readonly ChatMessage[] {
    const { observation, info, parsed } = this.#current();
    const prompt = this.dialogue.prompt({ observation, info, history: this.#history });
    if (parsed?.action !== undefined || parsed?.repairHint === undefined) return prompt;
    return [...prompt, { role: 'user', content: parsed.repairHint }];
  }

  /** The latest result. @throws {NotRunningError} Nothing was reset yet. */
  get moment(): Moment {
    return this.#current();
  }

  get history(): readonly Turn[] {
    return this.#history;
  }

  get state(): EpisodeState {
    return {
      episode_id: this.#id,
      step_count: this.#steps,
      env: this.envId,
      seed: this.#seed,
      return: this.#sum,
      terminated: this.#moment?.terminated ?? false,
      truncated: this.#moment?.truncated ?? false,
    };
  }

  get canSnapshot(): boolean {
    return this.env.snapshot !== undefined && this.#moment !== undefined && !this.#failed;
  }

  /** The whole episode as JSON data, or `null` where there is nothing to save. */
  async snapshot(): Promise<EpisodeSnapshot | null> {
    if (!this.canSnapshot) return null;
    const { reward, terminated, truncated, info } = this.#current();
    const turn = { observation: this.#current().observation, info };
    return {
      kind: 'vlgym.episode/1',
      env: (await this.env.snapshot!()) as EnvSnapshot,
      state: this.state,
      last: { ...writeTurn(this.env, turn), reward, terminated, truncated },
      history: this.#history.map((each) => writeTurn(this.env, each)),
    };
  }

  /** Continues from a snapshot; its episode goes on under a new id. */
  async restore(given: unknown, episodeId?: string): Promise<Moment> {
    const { restore } = this.env;
    if (!restore) {
      throw new GymError('This environment has no snapshots.', { code: 'SNAPSHOT_UNSUPPORTED', value: this.envId });
    }
    const { env, state, last, history } = parseEpisodeSnapshot(given, this.env, this.envId);
    // an environment that was never reset may refuse to be used, also after a restore
    if (!this.#moment) await this.env.reset();
    await restore.call(this.env, env);
    this.#failed = false;
    this.#id = episodeId ?? crypto.randomUUID();
    this.#seed = state.seed;
    this.#steps = state.step_count;
    this.#sum = state.return;
    this.#history = history;
    return this.#keep(last);
  }

  async close(): Promise<void> {
    await this.env.close();
  }

  #keep(moment: Moment): Moment {
    this.#moment = moment;
    return moment;
  }

  #current(): Moment {
    if (!this.#moment) throw new NotRunningError('The episode has not started');
    return this.#moment;
  }

  #running(): Moment {
    if (this.#failed && this.#moment) throw new NotRunningError('The environment has failed');
    const moment = this.#current();
    if (moment.terminated || moment.truncated) throw new NotRunningError('The episode is over');
    return moment;
  }
}
