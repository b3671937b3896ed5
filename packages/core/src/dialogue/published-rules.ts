/**
 * The action rules of published training code, kept exactly for replication; new code uses `parseResponse`.
 *
 * Rules: RL4VLM/RL4VLM (MIT), `VLM_PPO/` for the card games and `VLM_PPO_ALF/` for ALFWorld, as restated in
 * `docs/specs/gym-cards.md` 8.2 and `docs/specs/algorithms.md` 3.4. `test/golden/algos/action_parsing.json` pins every case.
 */

const MARKER = '"action":';

/** How to read a text without `"action":`: by its last character (published, a slice from -1), or not at all. */
export type MissingMarker = 'last-character' | 'nothing';

export interface CardRuleOptions {
  readonly missingMarker?: MissingMarker | undefined;
}

/**
 * Card games: the one action that occurs after the first `"action":`; "10" is matched, then deleted, before "1".
 *
 * @returns Index into `actions`; `undefined` if none or several occur (the published loop then draws one at random).
 */
export function rl4vlmCardAction(
  text: string,
  actions: readonly string[],
  { missingMarker = 'last-character' }: CardRuleOptions = {},
): number | undefined {
  const lower = text.toLowerCase();
  const start = lower.indexOf(MARKER);
  if (start < 0 && missingMarker === 'nothing') return undefined;
  let tail = start < 0 ? lastCharacters(lower, 1) : lower.slice(start);
  const found = new Set<number>();
  const ten = actions.indexOf('10');
  if (ten >= 0 && tail.includes('10')) {
    found.add(ten);
    tail = tail.replaceAll('10', '');
  }
  for (const [index, action] of actions.entries()) {
    if (index !== ten && tail.includes(action)) found.add(index);
  }
  const [only] = found;
  return found.size === 1 ? only : undefined;
}

export interface CommandRuleOptions {
  /** `first-in-list` is published and reads "cabinet 10" as "cabinet 1"; `longest` is the smallest fix. */
  readonly match?: 'first-in-list' | 'longest' | undefined;
}

/**
 * ALFWorld: an admissible command that occurs after the first `"action":`, or in the last 30 characters without it.
 *
 * @param admissible  Commands allowed now, in the environment's order, lower-case.
 * @returns Index into `admissible`; `undefined` if none occurs.
 */
export function rl4vlmCommand(
  text: string,
  admissible: readonly string[],
  { match = 'first-in-list' }: CommandRuleOptions = {},
): number | undefined {
  const lower = text.toLowerCase();
  const start = lower.indexOf(MARKER);
  const tail = start < 0 ? lastCharacters(lower, 30) : lower.slice(start);
  let best: number | undefined;
  for (const [index, command] of admissible.entries()) {
    if (!tail.includes(command)) continue;
    if (match === 'first-in-list') return index;
    if (best === undefined || command.length > admissible[best]!.length) best = index;
  }
  return best;
}

/** Counted in code points, as Python does. */
function lastCharacters(text: string, count: number): string {
  return Array.from(text.slice(-2 * count))
    .slice(-count)
    .join('');
}
