/**
 * Whether a thought in the shop is true: the price limit that it takes from the instruction, a price below it, and things
 * that it is about to click. That a product fits only the purchase tells.
 *
 * It reads the sentences of this package's expert, and the notes that the preset `small` is taught (`below 50.00: $28.99.`).
 */
import type { WebShopInfo } from '../env/info.js';

type Known = Pick<WebShopInfo, 'instruction' | 'availableActions'>;
type Claim = boolean | undefined;

const LIMIT = /\b(?:lower than|less than|below|under|at most) \$?(\d{1,9}(?:\.\d{1,2})?)/i;

/** @param said  The text before the action, or the thought alone. */
export function checkThought(said: string, { instruction, availableActions }: Known): Claim {
  const { clickables } = availableActions;
  const [, named] = LIMIT.exec(said) ?? [];
  const [, limit] = LIMIT.exec(instruction) ?? [];
  const [, price] = /\bbelow [\d.]{1,12}: \$(\d{1,9}(?:\.\d{1,2})?)/.exec(said) ?? [];
  const [, opened] = /\bThe product (\S{1,60}) looks right/.exec(said) ?? [];
  const [, chosen] = /\bchoose ([^\n]{1,400})\./.exec(said) ?? [];
  const claims: readonly Claim[] = [
    named === undefined ? undefined : Number(named) === Number(limit ?? Number.NaN),
    price === undefined ? undefined : Number(price) <= Number(limit ?? Number.NaN),
    opened === undefined ? undefined : clickables.includes(opened),
    chosen === undefined || chosen === 'none' ? undefined : isListOf(chosen, clickables),
  ];
  const made = claims.filter((claim) => claim !== undefined);
  return made.length === 0 ? undefined : made.every(Boolean);
}

/** Names may hold commas, so the longest are looked for first. */
function isListOf(text: string, names: readonly string[]): boolean {
  const longestFirst = [...names].sort((a, b) => b.length - a.length);
  return (
    longestFirst.reduce((rest, name) => rest.replaceAll(name, ','), text.toLowerCase()).replace(/[\s,]+/g, '') === ''
  );
}
