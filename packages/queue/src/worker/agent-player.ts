/** Plays an order with an agent: experts, random play, models behind an API. Episodes without token ids, for evaluation. */
import type { AgentMemory, AnyAgent } from '@vlgym/agents';
import { Episode, playTurns } from '@vlgym/agents/episode';
import { type AnyEnv, type Awaitable, GymError } from '@vlgym/core';
import type { Filled } from '@vlgym/core/internal';
import { checkNames, names } from '@vlgym/core/internal';
import type { EpisodeStep } from '@vlgym/core/trajectory';
import type { StepRecord } from '@vlgym/rl';
import type { PlayedEpisode } from '@vlgym/rl/rollout';
import { generatorOf, type WorkOrder } from '../order.js';
import type { EpisodePlayer } from './player.js';

export interface AgentPlayerOptions {
  readonly makeEnv: () => Awaitable<AnyEnv>;
  readonly agent: AnyAgent;
  /** The seed of the run: an order's draws follow from it and the number of the order. */
  readonly runSeed: number;
  /** An episode without its own limit is truncated here; default 1000. */
  readonly maxSteps?: number | undefined;
}

const AGENT_PLAYER_OPTIONS = names<AgentPlayerOptions>({ makeEnv: 0, agent: 0, runSeed: 0, maxSteps: 0 });

export class AgentPlayer implements EpisodePlayer {
  readonly #options: Filled<AgentPlayerOptions>;
  readonly #idle: AnyEnv[] = [];
  readonly #all = new Set<AnyEnv>();

  constructor(given: AgentPlayerOptions) {
    checkNames('options', given, AGENT_PLAYER_OPTIONS);
    const { maxSteps = 1000, ...options } = given;
    this.#options = { maxSteps, ...options };
  }

  async play(order: WorkOrder, signal?: AbortSignal): Promise<PlayedEpisode> {
    const env = this.#idle.pop() ?? (await this.#options.makeEnv());
    this.#all.add(env);
    try {
      const episode = await this.#play(env, order, signal);
      this.#idle.push(env);
      return episode;
    } catch (error) {
      // what it left behind is unknown
      this.#all.delete(env);
      await env.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((env) => env.close()));
    await this.#options.agent.close?.();
  }

  async #play(env: AnyEnv, order: WorkOrder, signal: AbortSignal | undefined): Promise<PlayedEpisode> {
    const { agent, runSeed, maxSteps } = this.#options;
    const rng = generatorOf(runSeed, order.order);
    const episode = new Episode({ env, rng, maxSteps, signal: signal ?? new AbortController().signal });
    await episode.reset({ seed: order.seed, id: `order-${order.order}` });
    const memory: AgentMemory = { hasBegun: false, memory: undefined };
    const player = { begin: agent.begin?.bind(agent), act: agent.act.bind(agent) };
    const steps: StepRecord[] = [];
    for await (const step of playTurns(episode, player, memory)) {
      signal?.throwIfAborted();
      if (!step.result) throw episode.cause ?? new GymError(step.error!.message, { code: step.error!.code });
      steps.push(recordOf(step, steps.length, episode.state.id));
    }
    const summary = episode.summary();
    const { id: episodeId, seed, success, return: sum, length } = summary;
    const endedBy = episode.state.terminated ? 'terminated' : 'truncated';
    await agent.end?.({ episodeId, memory: memory.memory, seed, success, counted: true, return: sum, length, endedBy });
    return { steps, summary };
  }
}

/** A step without token ids: what an agent behind an API tells. */
function recordOf(
  { turn, fallback = false, result, truncationReason }: EpisodeStep,
  stepIndex: number,
  episodeId: string,
) {
  const { text = '', parsed } = turn ?? {};
  const { reward, terminated, truncated } = result!;
  const spans = { action: [0, text.length] as const };
  return {
    environment: 0,
    episodeId,
    stepIndex,
    policyVersion: 0,
    input: { promptIds: new Int32Array(), images: [] },
    text,
    responseIds: new Int32Array(),
    tokenEnds: new Int32Array(),
    thoughtMask: new Uint8Array(),
    actionMask: new Uint8Array(),
    behaviorLogProbs: new Float32Array(),
    entropies: new Float32Array(),
    parsed: parsed ?? { thought: '', actionText: text, legal: !fallback, formatValid: !fallback, spans },
    fallback,
    lengthTruncated: false,
    reward: { environment: reward, format: 0 },
    terminated,
    truncated: !terminated && (truncated || truncationReason !== undefined),
    value: 0,
    nextValue: 0,
  } satisfies StepRecord;
}
