/**
 * An episode as clients of a server drive it: a response in words or an action, one at a time.
 *
 * A response without an action is a turn that does nothing, as in an evaluation; the client reads why and tries again. An
 * action that the environment refuses is an error, and no turn.
 */
import { Episode, type EpisodeSnapshot } from '@vlgym/agents/episode';
import { type AnyEnv, type ChatMessage, type Info, type ParsedResponse, spaceDialogue, type Turn } from '@vlgym/core';
import type { EpisodeRecorder, EpisodeStart } from '@vlgym/core/trajectory';

/** The latest result. */
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

/** The state of the episode, for clients. */
export interface ServedState {
  readonly episode_id: string | null;
  readonly step_count: number;
  readonly env: string;
  readonly seed: number | null;
  readonly return: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
}

export interface ServedResetOptions {
  readonly seed?: number | undefined;
  readonly episodeId?: string | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

export class ServedEpisode {
  readonly env: AnyEnv;
  readonly #episode: Episode;
  /** How the latest response was read. */
  #parsed: ParsedResponse | undefined;

  constructor(
    env: AnyEnv,
    readonly envId: string,
  ) {
    const { observationSpace, actionSpace } = env;
    const dialogue = env.dialogue ?? spaceDialogue({ title: envId, observationSpace, actionSpace });
    this.env = env;
    this.#episode = new Episode({ env, dialogue });
  }

  async reset({ seed, episodeId, options = {} }: ServedResetOptions = {}): Promise<Moment> {
    await this.#episode.reset({
      seed,
      id: episodeId ?? crypto.randomUUID(),
      ...(Object.keys(options).length > 0 && { options }),
    });
    this.#parsed = undefined;
    return this.moment;
  }

  /** Records it from here on: every turn is written. */
  record(open: (start: EpisodeStart) => Promise<EpisodeRecorder>): Promise<void> {
    return this.#episode.record(open);
  }

  get recorder(): EpisodeRecorder | undefined {
    return this.#episode.recorder;
  }

  /** A model's response, read by the environment's dialogue. */
  respond(text: string): Promise<Moment> {
    return this.#take(() => this.#episode.read(text));
  }

  /**
   * An action in words, such as `append 7`, from a caller that was asked only for the action: any response format of the
   * dialogue may read it. A whole response is accepted, too.
   */
  actInWords(words: string, thoughts = ''): Promise<Moment> {
    const forms = [JSON.stringify({ thoughts, action: words }), `<think>${thoughts}</think><action>${words}</action>`];
    const isWhole = /"action"\s*:|<action>/.test(words);
    const responses = isWhole ? [words, ...forms] : [...forms, words];
    const { dialogue, state } = this.#episode;
    const read = responses.find((text) => dialogue.parse(text, state).action !== undefined);
    return this.respond(read ?? responses[0]!);
  }

  act(action: unknown): Promise<Moment> {
    return this.#take(() => this.#episode.decide({ action }));
  }

  /** The prompt for the next response; after a response without an action, with what is wrong about it. */
  messages(): readonly ChatMessage[] {
    const prompt = this.#episode.prompt();
    const { action, repairHint } = this.#parsed ?? {};
    return action !== undefined || repairHint === undefined
      ? prompt
      : [...prompt, { role: 'user', content: repairHint }];
  }

  /** The latest result. @throws {EpisodeNotRunningError} Nothing was reset yet. */
  get moment(): Moment {
    const { observation, info, reward, terminated, truncated } = this.#episode.state;
    return { observation, info, reward, terminated, truncated, ...(this.#parsed && { parsed: this.#parsed }) };
  }

  get history(): readonly Turn[] {
    return this.#episode.state.history;
  }

  get state(): ServedState {
    if (!this.#episode.hasStarted) {
      const nothing = { episode_id: null, step_count: 0, seed: null, return: 0, terminated: false, truncated: false };
      return { ...nothing, env: this.envId };
    }
    const { id, stepIndex, seed = null, return: sum, terminated, truncated } = this.#episode.state;
    return { episode_id: id, step_count: stepIndex, env: this.envId, seed, return: sum, terminated, truncated };
  }

  get canSnapshot(): boolean {
    return this.#episode.canSnapshot;
  }

  /** The whole episode as JSON data, or `null` if there is nothing to save. */
  snapshot(): Promise<EpisodeSnapshot | null> {
    return this.#episode.snapshot();
  }

  /** Continues from a snapshot; its episode continues under a new id. */
  async restore(given: unknown, episodeId?: string): Promise<Moment> {
    await this.#episode.restore(given, episodeId ?? crypto.randomUUID());
    this.#parsed = undefined;
    return this.moment;
  }

  close(): Promise<void> {
    return this.#episode.close();
  }

  async #take(decide: () => ReturnType<Episode['read']>): Promise<Moment> {
    const episode = this.#episode;
    episode.ensureRunning();
    const prompt = episode.recorder && this.messages();
    const decision = decide();
    const step = await episode.act(decision);
    await episode.recorder?.step({
      ...step,
      prompt,
      turn: { text: decision.text, ...(decision.parsed && { parsed: decision.parsed }) },
    });
    if (!step.result) throw episode.cause;
    this.#parsed = decision.parsed;
    return this.moment;
  }
}
