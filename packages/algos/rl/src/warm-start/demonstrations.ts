/**
 * Labels without end for a supervised warm start: experts play, and say at every step what they do.
 *
 * Some steps execute another allowed action than the one labeled, so that the labels also cover states an expert would
 * not reach; some show a mistake, where the teacher is meant to be mediocre. Rules: `docs/specs/algorithms.md` 10.
 */
import { fallbackAction } from '@vlgym/agents';
import { Episode } from '@vlgym/agents/episode';
import { type AnyEnv, Generator, GymError, show } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import type { Policy } from '../policy.js';
import type { LabeledSequence } from '../update/supervise.js';

export interface Demonstration {
  /** Counts from 0. */
  readonly episode: number;
  /** 0 for the first step of the episode. */
  readonly stepIndex: number;
  readonly text: string;
  /** Every response token is a label. */
  readonly sample: LabeledSequence;
}

export interface DemonstrationOptions {
  readonly policy: Policy;
  readonly env: AnyEnv;
  readonly seed: number;
  /** Share of steps that execute another action than the one shown, in [0, 1). */
  readonly exploration: number;
  /** Share of steps at which a uniformly drawn allowed action is shown and executed instead of the expert's, in [0, 1]. */
  readonly mistakes: number;
}

/** An environment cannot say what an expert would do, or how to say it. */
class NoDemonstrationError extends GymError {
  constructor(
    readonly missing: 'dialogue.demonstrate' | 'oracle',
    environment: string,
  ) {
    super(`The environment ${environment} has no \`${missing}\`, so there is nothing to imitate.`, {
      code: 'NO_DEMONSTRATION',
      value: environment,
      expected: 'an environment with `oracle` and `dialogue.demonstrate`',
      hint: 'pass `examples` to `supervisedWarmStart`',
    });
  }
}

/** An expert's demonstration has no tokens: an empty label teaches nothing. */
class EmptyDemonstrationError extends GymError {
  constructor(environment: string, action: unknown) {
    super(`\`dialogue.demonstrate\` of ${environment} returned an empty text for ${show(action)}.`, {
      code: 'EMPTY_DEMONSTRATION',
      value: action,
      expected: 'the response that a model should write for this action',
      hint: 'write the response in `demonstrate`, or train with --warm-start none',
    });
  }
}

const DEMONSTRATIONS_OPTIONS = names<DemonstrationOptions>({ policy: 0, env: 0, seed: 0, exploration: 0, mistakes: 0 });

/** Plays one episode after another, each a new one, without end. @throws {NoDemonstrationError} */
export async function* demonstrations(options: DemonstrationOptions): AsyncGenerator<Demonstration> {
  checkNames('options', options, DEMONSTRATIONS_OPTIONS);
  const { policy, env, seed, exploration, mistakes } = options;
  const { dialogue } = env;
  const name = env.spec?.id ?? env.unwrapped.constructor.name;
  if (!dialogue?.demonstrate) throw new NoDemonstrationError('dialogue.demonstrate', name);
  if (!expertOf(env)) throw new NoDemonstrationError('oracle', name);
  const rng = new Generator(seed);
  const episode = new Episode({ env, rng });
  for (let index = 0; ; index++) {
    await episode.reset({ seed: rng.integers(0, 2 ** 31) });
    while (episode.isRunning) {
      const { context, state } = episode;
      const { stepIndex } = state;
      // where nothing leads to success the episode continues with random actions, without a label
      const expert = expertOf(env)?.();
      const isMistake = expert !== undefined && rng.random() < mistakes;
      const shown = isMistake ? (allowedAction(env, rng) ?? fallbackAction(context)) : expert;
      if (shown !== undefined) {
        const text = dialogue.demonstrate(state, shown);
        if (text === '') throw new EmptyDemonstrationError(name, shown);
        const { ids } = policy.encodeResponse(text);
        const input = policy.encode(episode.prompt());
        const sample = { input, responseIds: ids, labelMask: new Uint8Array(ids.length).fill(1) };
        yield { episode: index, stepIndex, text, sample };
      }
      const action = shown === undefined || rng.random() < exploration ? fallbackAction(context) : shown;
      const { result } = await episode.act(episode.decide({ action, text: dialogue.demonstrate(state, action) }));
      if (!result) throw episode.cause;
    }
  }
}

function allowedAction(env: AnyEnv, rng: Generator): unknown {
  const allowed = Array.from(env.actionMask?.() ?? []).flatMap((bit, action) => (bit ? [action] : []));
  return allowed.length ? rng.choice(allowed) : undefined;
}

/** The environment's `expert`, which also knows what to do when all is lost, or else its `oracle`. */
const expertOf = (env: AnyEnv): (() => unknown) | undefined => (env.expert ?? env.oracle)?.bind(env);

/** Demonstrations to draw from, all of them or the newest of every position in the episode. */
export class DemonstrationPool {
  readonly #positions = new Map<number, Demonstration[]>();

  constructor(
    /** Demonstrations kept per position. */
    readonly capacity = Number.POSITIVE_INFINITY,
  ) {}

  add(demonstration: Demonstration): void {
    const kept = this.#positions.get(demonstration.stepIndex) ?? [];
    kept.push(demonstration);
    if (kept.length > this.capacity) kept.shift();
    this.#positions.set(demonstration.stepIndex, kept);
  }

  /** Every demonstration is as likely as any other. */
  drawUniform(count: number, rng: Generator): LabeledSequence[] {
    const all = [...this.#positions.values()].flat();
    return Array.from({ length: count }, () => all[rng.integers(0, all.length)]!.sample);
  }

  /** Every position in the episode has an equal share. */
  drawBalanced(count: number, rng: Generator): LabeledSequence[] {
    const positions = [...this.#positions.keys()].sort((a, b) => a - b);
    const order = rng.permutation(positions.length);
    return Array.from({ length: count }, (_, i) => {
      const kept = this.#positions.get(positions[order[i % order.length]!]!)!;
      return kept[rng.integers(0, kept.length)]!.sample;
    });
  }
}
