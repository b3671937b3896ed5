/** Short names of environments: `miniworld`, `miniworld/Hallway`, `alfworld`, `blackjack` → the id that is meant. */
import { closest, registeredIds } from '@vlgym/core';
import { UsageError } from '../command.js';

/** What a whole family stands for. */
const FAMILIES: Readonly<Record<string, string>> = {
  miniworld: 'MiniWorld-FourRooms-v0',
  alfworld: 'vlgym/ALFWorld-v1',
  webshop: 'vlgym/WebShop-v1',
  cards: 'vlgym/Points24-v1',
};

/**
 * @param text   An id, or a short name: upper and lower case do not matter, the version may be left out, `/` may stand
 *               for the `-` of `MiniWorld-Hallway-v0`. Our own rules (`vlgym/…`) win over the published ones.
 * @returns      The id as it is registered; what has the form of a full id is given back for `make` to judge.
 * @throws {UsageError}  No environment has this short name.
 */
export function resolveEnv(text: string, ids: readonly string[] = registeredIds()): string {
  if (ids.includes(text)) return text;
  const family = FAMILIES[text.toLowerCase()];
  if (family !== undefined) return family;
  const named = ids.filter((id) => shortNames(id).includes(short(text)));
  const found = named.find((id) => id.startsWith('vlgym/')) ?? named.at(-1);
  if (found !== undefined) return found;
  if (/-v\d+$/.test(text)) return text;
  const near = closest(text, [...Object.keys(FAMILIES), ...ids.map((id) => shortNames(id)[0]!)]);
  throw new UsageError(`No environment is called "${text}".`, {
    hint: near
      ? `did you mean "${near}"?`
      : `for example ${Object.keys(FAMILIES).join(', ')}, miniworld/Hallway, vlgym/Blackjack-v1`,
  });
}

const short = (text: string) => text.toLowerCase().replace(/^miniworld-/, 'miniworld/');

/** The longest first: `miniworld/hallway`, `hallway`. */
function shortNames(id: string): string[] {
  const whole = short(id.replace(/-v\d+$/, ''));
  return [whole, whole.slice(whole.indexOf('/') + 1)];
}
