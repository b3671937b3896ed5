/**
 * Labels without end for a supervised warm start: experts play, and say at every step what they do.
 *
 * Some steps execute another allowed action than the one labelled, so that the labels also cover states an expert would
 * not reach. Batches are balanced over the position in the episode, the last action included. Rules: `algorithms.md` 10.
 */
import { fallbackAction } from '@vlgym/agents';
import { type AnyEnv, Generator, GymError, type Info, type Turn } from '@vlgym/core';
import type { LabelledSequence } from '../guidance/dagger-set.js';
import type { Policy } from '../policy.js';

export interface Demonstration {
  /** 0 for the first step of the episode. */
  readonly stepIndex: number;
  readonly text: string;
  /** Every response token is a label. */
  readonly sample: LabelledSequence;
}

export interface DemonstrationOptions {
  readonly policy: Policy;
  readonly env: AnyEnv;
  readonly seed: number;
  /** Share of steps that execute another allowed action than the expert's, in [0, 1). */
  readonly exploration: number;
  /** Distinct episodes, played in turn; no two are the same when left out. */
  readonly episodes?: number | undefined;
  /** Which episodes an expert shows, by the info of their reset; all when left out. */
  readonly accept?: ((info: Info) => boolean) | undefined;
}

/** Episodes refused in a row before `accept` counts as impossible. */
const MOST_REFUSED = 10_000;

/** `accept` refuses whatever the environment deals. */
export class NoEpisodeAcceptedError extends GymError {
  constructor(environment: string) {
    super(`None of ${MOST_REFUSED} episodes of ${environment} was accepted.`, {
      code: 'NO_EPISODE_ACCEPTED',
      value: MOST_REFUSED,
      hint: 'loosen `accept`; it is given the info of the reset',
    });
  }
}

/** An environment cannot say what an expert would do, or how to say it. */
export class NoDemonstrationError extends GymError {
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

/** Plays episode after episode. @throws {NoDemonstrationError} */
export async function* demonstrations({
  policy,
  env,
  seed,
  exploration,
  episodes = Number.POSITIVE_INFINITY,
  accept = () => true,
}: DemonstrationOptions): AsyncGenerator<Demonstration> {
  const { dialogue } = env;
  const name = env.spec?.id ?? env.unwrapped.constructor.name;
  if (!dialogue?.demonstrate) throw new NoDemonstrationError('dialogue.demonstrate', name);
  if (!expertOf(env)) throw new NoDemonstrationError('oracle', name);
  const rng = new Generator(seed);
  const seeds: number[] = [];
  const acceptedSeed = async (): Promise<number> => {
    for (let refused = 0; refused < MOST_REFUSED; refused++) {
      const candidate = rng.integers(0, 2 ** 31);
      if (accept((await env.reset({ seed: candidate })).info)) return candidate;
    }
    throw new NoEpisodeAcceptedError(name);
  };
  for (let episode = 0; ; episode++) {
    if (seeds.length < episodes) seeds.push(await acceptedSeed());
    const history: Turn[] = [];
    let { observation, info } = await env.reset({ seed: seeds[episode % seeds.length]! });
    for (let over = false; !over; ) {
      const context = { observation, info, history };
      const anyAction = () =>
        fallbackAction({ ...context, env, rng, episodeId: 'demonstration', stepIndex: history.length });
      // where nothing leads to success the episode is played on by chance, without a label
      const expert = expertOf(env)?.();
      if (expert !== undefined) {
        const text = dialogue.demonstrate(context, expert);
        const { ids } = policy.encodeResponse(text);
        const input = policy.encode(dialogue.prompt(context));
        const sample = { input, responseIds: ids, labelMask: new Uint8Array(ids.length).fill(1) };
        yield { stepIndex: history.length, text, sample };
      }
      const action = expert === undefined || rng.random() < exploration ? anyAction() : expert;
      const result = await env.step(action);
      history.push({ observation, text: dialogue.demonstrate(context, action), action, reward: result.reward });
      ({ observation, info } = result);
      over = result.terminated || result.truncated;
    }
  }
}

/**
 * What an expert does: an environment's own `expertAction`, which also knows what to do when all is lost, or else its
 * `oracle`.
 */
function expertOf(env: AnyEnv): (() => unknown) | undefined {
  const inner = env.unwrapped as AnyEnv & { expertAction?: () => unknown };
  if (inner.expertAction) return () => inner.expertAction?.();
  return env.oracle && (() => env.oracle?.());
}

/** Keeps the newest demonstrations of every position and draws batches that are even over positions. */
export class DemonstrationPool {
  readonly #positions = new Map<number, Demonstration[]>();

  constructor(
    /** Demonstrations kept per position. */
    readonly capacity: number,
  ) {}

  add(demonstration: Demonstration): void {
    const kept = this.#positions.get(demonstration.stepIndex) ?? [];
    kept.push(demonstration);
    if (kept.length > this.capacity) kept.shift();
    this.#positions.set(demonstration.stepIndex, kept);
  }

  draw(count: number, rng: Generator): LabelledSequence[] {
    const positions = [...this.#positions.keys()].sort((a, b) => a - b);
    const order = rng.permutation(positions.length);
    return Array.from({ length: count }, (_, i) => {
      const kept = this.#positions.get(positions[order[i % order.length]!]!)!;
      return kept[rng.integers(0, kept.length)]!.sample;
    });
  }
}
