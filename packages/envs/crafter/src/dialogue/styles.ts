/**
 * The dialogue styles.
 *
 * - `plain-v1`: from this package. The prompt has the aim, what is seen, the items and the actions; the response is one JSON
 *   object with thoughts and action.
 * - `compact-v1`: from this package, for small models. The response says what is in front of the player, and the action.
 * - `balrog-naive-v1`, `balrog-cot-v1`: the words of BALROG, balrog-ai/BALROG (MIT) at af7d1f17: a conversation that repeats
 *   16 observations. An answer that names no action waits.
 *
 * Any change of words needs a new version, because scores under different prompts are not comparable.
 */
export const DIALOGUE_STYLES = ['plain-v1', 'compact-v1', 'balrog-naive-v1', 'balrog-cot-v1'] as const;
export type DialogueStyle = (typeof DIALOGUE_STYLES)[number];
