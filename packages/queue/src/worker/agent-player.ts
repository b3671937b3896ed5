/** Plays an order with an agent: experts, random play, models behind an API. Episodes without token ids, for evaluation. */
import { type AnyAgent, fallbackAction, turnFromResponse } from '@vlgym/agents';
import { type AnyEnv, type Awaitable, GymError, type Info, type StepResult, type Turn, taskKeyOf } from '@vlgym/core';
import type { PlayedEpisode, StepRecord } from '@vlgym/rl';
import { generatorOf, type WorkOrder } from '../order.js';
import type { EpisodePlayer } from './player.js';

export interface AgentPlayerOptions {
  readonly makeEnv: () => Awaitable<AnyEnv>;
  readonly agent: AnyAgent;
  /** The seed of the run: an order's draws follow from it and the number of the order. */
  readonly runSeed: number;
  /** An episode that has no limit of its own is cut here; default 1000. */
  readonly maxSteps?: number;
}

export class AgentPlayer implements EpisodePlayer {
  readonly #options: Required<AgentPlayerOptions>;
  readonly #idle: AnyEnv[] = [];
  readonly #all = new Set<AnyEnv>();

  constructor({ maxSteps = 1000, ...options }: AgentPlayerOptions) {
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
    const episodeId = `order-${order.order}`;
    const first = await env.reset({ seed: order.seed });
    let { observation, info }: { observation: unknown; info: Info } = first;
    const history: Turn[] = [];
    const steps: StepRecord[] = [];
    let sum = 0;
    for (;;) {
      signal?.throwIfAborted();
      const stepIndex = steps.length;
      const context = { env, rng, episodeId, stepIndex, observation, info, history, ...(signal && { signal }) };
      const turn = await agent.act(context);
      if (turn.error) throw new GymError(turn.error.message, { code: turn.error.code });
      const parsed = turn.parsed ?? (env.dialogue ? turnFromResponse(context, turn.text).parsed : undefined);
      const isFallback = turn.action === undefined;
      const action = isFallback ? fallbackAction(context) : turn.action;
      const result: StepResult<unknown> = await env.step(action);
      history.push({ observation, text: turn.text, action, reward: result.reward });
      sum += result.reward;
      const isCut = !result.terminated && (result.truncated || stepIndex + 1 >= maxSteps);
      steps.push(recordOf({ text: turn.text, parsed, isFallback, result, isCut, stepIndex, episodeId }));
      ({ observation, info } = result);
      if (result.terminated || isCut) break;
    }
    const given = [info.truncationReason, info.terminationReason].find((entry) => typeof entry === 'string');
    const taskKey = taskKeyOf(first.info);
    const summary = {
      id: episodeId,
      seed: order.seed,
      ...(taskKey !== undefined && { taskKey }),
      return: sum,
      length: steps.length,
      success: typeof info.success === 'boolean' ? info.success : sum > 0,
      reason: String(given ?? (steps.at(-1)!.terminated ? 'terminated' : 'environment')),
    };
    return { steps, summary };
  }
}

interface Played {
  readonly text: string;
  readonly parsed: StepRecord['parsed'] | undefined;
  readonly isFallback: boolean;
  readonly result: StepResult<unknown>;
  readonly isCut: boolean;
  readonly stepIndex: number;
  readonly episodeId: string;
}

function recordOf({ text, parsed, isFallback, result, isCut, stepIndex, episodeId }: Played): StepRecord {
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
    parsed: parsed ?? { thought: '', actionText: text, legal: !isFallback, formatValid: !isFallback, spans },
    fallback: isFallback,
    lengthTruncated: false,
    reward: { environment: result.reward, format: 0 },
    terminated: result.terminated,
    truncated: isCut,
    value: 0,
    nextValue: 0,
  };
}
