/**
 * Looks for what a reset forgets to forget: the same seed and the same actions, in an environment that has played other episodes to
 * their ends and in a new one. Nothing may differ, least of all the reward.
 */
import { type AnyEnv, type Awaitable, Generator, type Info, type PromptContext, type Turn } from '@vlgym/core';
import { digestObservation } from '@vlgym/core/trajectory';

export interface ResetLeak {
  readonly seed: number;
  /** Turns before the difference; 0: at the reset. */
  readonly step: number;
  /** The first part that differs. */
  readonly what: 'reward' | 'end' | 'observation' | 'info' | 'prompt';
  readonly used: string;
  readonly fresh: string;
}

interface Seen {
  readonly action?: unknown;
  readonly facts: Readonly<Record<ResetLeak['what'], string>>;
}

/** A leak of a reset shows early. */
const MAX_STEPS = 40;

export interface ResetProbe {
  /** Has played before. */
  readonly env: AnyEnv;
  readonly makeEnv: () => Awaitable<AnyEnv>;
  readonly seeds: readonly number[];
  readonly maxSteps: number;
}

/** @returns the first difference of each seed; a difference of rewards or ends before others. */
export async function resetLeaks({ env, makeEnv, seeds, maxSteps }: ResetProbe): Promise<ResetLeak[]> {
  const leaks: ResetLeak[] = [];
  for (const seed of seeds) {
    const fresh = await makeEnv();
    try {
      const expected = await play(fresh, seed, Math.min(maxSteps, MAX_STEPS));
      await finish(env, seed + 1, maxSteps);
      const actions = expected.slice(1).map(({ action }) => action);
      const seen = await play(env, seed, actions.length, actions);
      const leak = difference(seed, seen, expected);
      if (leak) leaks.push(leak);
    } finally {
      await fresh.close();
    }
  }
  return leaks;
}

/** An episode to its end, by the expert where there is one: a past that has won. */
async function finish(env: AnyEnv, seed: number, maxSteps: number): Promise<void> {
  const rng = new Generator(seed);
  await env.reset({ seed });
  for (let step = 0; step < maxSteps; step += 1) {
    const { terminated, truncated } = await env.step((await env.oracle?.()) ?? drawn(env, rng, []));
    if (terminated || truncated) return;
  }
}

/**
 * The given actions, or else the expert's for some turns, to reach the late parts of an episode, and then actions at random. An expert
 * that searches is not asked after these, because it may look for a solution that does not exist.
 */
async function play(env: AnyEnv, seed: number, maxSteps: number, given?: readonly unknown[]): Promise<Seen[]> {
  const rng = new Generator(seed);
  const led = rng.integers(maxSteps);
  const history: Turn[] = [];
  let { observation, info } = await env.reset({ seed });
  const facts = (reward: number, end: string) => ({
    reward: String(reward),
    end,
    observation: digestObservation(observation),
    info: digestObservation(withoutClock(info)),
    prompt: promptDigest(env, { observation, info, history }),
  });
  const moves: Seen[] = [{ facts: facts(0, 'running') }];
  for (let step = 0; step < maxSteps; step += 1) {
    const expert = !given && step < led ? await env.oracle?.() : undefined;
    const choices =
      given || expert !== undefined ? [] : (env.dialogue?.choices?.({ observation, info, history }) ?? []);
    const action = given ? given[step] : (expert ?? drawn(env, rng, choices));
    const result = await env.step(action);
    history.push({ observation, text: '', action, reward: result.reward });
    ({ observation, info } = result);
    const end = result.terminated ? 'terminated' : result.truncated ? 'truncated' : 'running';
    moves.push({ action, facts: facts(result.reward, `${end}, success ${String(info.success)}`) });
    if (end !== 'running') break;
  }
  return moves;
}

function drawn(env: AnyEnv, rng: Generator, choices: readonly unknown[]): unknown {
  if (choices.length > 0) return rng.choice(choices);
  env.actionSpace.seed(rng.integers(2 ** 32));
  const mask = env.actionMask?.();
  return env.actionSpace.sample(mask ? { mask } : {});
}

function promptDigest(env: AnyEnv, context: PromptContext): string {
  return env.dialogue ? digestObservation(env.dialogue.prompt(context)) : '';
}

/** `recordEpisodeStatistics` reports a duration. */
function withoutClock({ episode, ...info }: Info): object {
  return { ...info, ...(typeof episode === 'object' && { episode: { ...episode, seconds: 0 } }) };
}

/** In the order of how bad they are. */
const KINDS = ['reward', 'end', 'observation', 'info', 'prompt'] as const;

function difference(seed: number, used: readonly Seen[], fresh: readonly Seen[]): ResetLeak | undefined {
  for (const what of KINDS) {
    for (const [step, move] of fresh.entries()) {
      const [a, b] = [used[step]?.facts[what] ?? 'nothing', move.facts[what]];
      if (a !== b) return { seed, step, what, used: a, fresh: b };
    }
  }
  return undefined;
}
