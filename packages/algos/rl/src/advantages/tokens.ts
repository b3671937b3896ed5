/**
 * Estimates along the tokens of whole episodes, for algorithms whose advantages are per token, [B][L].
 *
 * The tokens of an episode are its responses, one after the other; the model did not choose what the environment wrote between
 * them, so it is skipped (`docs/specs/algorithms.md` 9.5).
 */
import type { RolloutBuffer, StepRecord } from '../rollout/record.js';

/** The tokens of one episode, or of what the buffer has of it. */
export interface EpisodeTokens {
  /** [L] */
  readonly rewards: Float64Array;
  /** [L] values before each token; 0 without a critic of tokens. */
  readonly values: Float64Array;
  /** [L] 1 on the last token of each response. */
  readonly endOfTurn: Uint8Array;
  /** Value after the last token: 0 where the episode ended, that of the successor where it was cut. */
  readonly nextValue: number;
}

export interface TokenEstimates {
  /** [B][L] */
  readonly advantages: Float64Array[];
  /** [B][L] what a critic of tokens learns. */
  readonly returns: Float64Array[];
}

/** [B][L] the reward of each step on the last token of its response, in units of `scale`. */
export const tokenRewards = ({ steps }: RolloutBuffer, scale = 1): Float64Array[] =>
  steps.map(({ responseIds: { length }, reward: { environment, format } }) => {
    const rewards = new Float64Array(length);
    rewards[length - 1] = (environment + format) / scale;
    return rewards;
  });

/**
 * Estimates every episode by itself and gives each step the part of its tokens.
 *
 * @param rewards  [B][L] e.g. those of `tokenRewards`, less a penalty.
 * @param estimate Returns [L] each; without `returns` they are 0.
 */
export function alongEpisodes(
  buffer: RolloutBuffer,
  rewards: readonly Float64Array[],
  estimate: (tokens: EpisodeTokens) => { readonly advantages: Float64Array; readonly returns?: Float64Array },
): TokenEstimates {
  const { steps } = buffer;
  const advantages = rewards.map(({ length }) => new Float64Array(length));
  const returns = rewards.map(({ length }) => new Float64Array(length));
  for (const rows of episodesOf(buffer)) {
    const values = rows.map((row) => steps[row]!.tokenValues ?? new Float64Array(rewards[row]!.length));
    const found = estimate({
      rewards: joined(rows.map((row) => rewards[row]!)),
      values: joined(values),
      endOfTurn: Uint8Array.from(rows.flatMap((row) => onLastToken(rewards[row]!.length))),
      nextValue: steps[rows.at(-1)!]!.nextValue,
    });
    let start = 0;
    for (const row of rows) {
      const end = start + rewards[row]!.length;
      advantages[row]!.set(found.advantages.subarray(start, end));
      if (found.returns) returns[row]!.set(found.returns.subarray(start, end));
      start = end;
    }
  }
  return { advantages, returns };
}

/** Rows of each episode in the order of time; the first and the last of an environment may be cut by the buffer. */
function* episodesOf({ steps, trajectories }: RolloutBuffer): Generator<number[]> {
  for (const rows of trajectories) {
    let episode: number[] = [];
    for (const row of rows) {
      episode.push(row);
      if (!isEnd(steps[row]!)) continue;
      yield episode;
      episode = [];
    }
    if (episode.length > 0) yield episode;
  }
}

const onLastToken = (length: number): number[] => Array.from({ length }, (_, i) => (i === length - 1 ? 1 : 0));

const isEnd = ({ terminated, truncated }: StepRecord) => terminated || truncated;

const joined = (parts: readonly Float64Array[]): Float64Array => Float64Array.from(parts.flatMap((part) => [...part]));
