/** Episodes for checks, played with random or given actions and recorded step by step. */
import type { AnyEnv, ResetOptions, ResetResult, StepResult } from '../env.js';
import { maskFindings } from './contract.js';
import { firstDifference } from './difference.js';

export interface Move {
  /** Absent for a reset. */
  readonly action?: unknown;
  readonly result: ResetResult<unknown> | StepResult<unknown>;
}

/** One allowed action, drawn from the action space. An invalid mask is reported by another check. */
export function drawAction(env: AnyEnv): unknown {
  const mask = env.actionMask?.();
  return env.actionSpace.sample(mask && maskFindings(env, mask).length === 0 ? { mask } : {});
}

/**
 * Resets, then steps `count` times, resetting without a seed whenever an episode ends.
 *
 * @param actions  Taken in order; `undefined` draws them from the action space, seeded with `options.seed`.
 */
export async function rollout(
  env: AnyEnv,
  options: ResetOptions,
  count: number,
  actions?: readonly unknown[],
): Promise<Move[]> {
  if (!actions) env.actionSpace.seed(options.seed ?? 0);
  const moves: Move[] = [{ result: await env.reset(options) }];
  return [...moves, ...(await playOn(env, count, actions))];
}

/** The same, starting in the middle of an episode. */
export async function playOn(env: AnyEnv, count: number, actions?: readonly unknown[]): Promise<Move[]> {
  const moves: Move[] = [];
  for (let step = 0; step < count; step += 1) {
    const action = actions ? actions[step] : drawAction(env);
    const result = await env.step(action);
    moves.push({ action, result });
    if (result.terminated || result.truncated) moves.push({ result: await env.reset() });
  }
  return moves;
}

export const actionsOf = (moves: readonly Move[]): unknown[] =>
  moves.filter((move) => 'action' in move).map(({ action }) => action);

/** The first difference of two rollouts. The duration of `recordEpisodeStatistics` may differ. */
export function rolloutDifference(a: readonly Move[], b: readonly Move[]): string | undefined {
  for (const [index, move] of a.entries()) {
    const found = firstDifference(withoutClock(move.result), withoutClock(b[index]?.result), `move ${index}`);
    if (found !== undefined) return found;
  }
  return a.length === b.length ? undefined : `${a.length} and ${b.length} moves`;
}

function withoutClock(result: Move['result'] | undefined): unknown {
  const episode = result?.info?.episode as Record<string, unknown> | undefined;
  if (typeof episode !== 'object' || episode === null || !('seconds' in episode)) return result;
  return { ...result, info: { ...result!.info, episode: { ...episode, seconds: undefined } } };
}
