/** A level in the words of BALROG: the rules, and every thing from the point of view of whoever is "you". */
import type { BabaGame } from './game.js';
import type { Rule } from './rules.js';
import { BABA_TILE } from './tiles.js';

const BROKEN = '[...] IS YOU rule was broken, environment reset';

/** `baba is you`, and so on; BALROG leaves out rules that turn one thing into another. */
export const describeRules = (rules: readonly Rule[]): string[] =>
  rules.flatMap((rule) => ('property' in rule ? [`${rule.object} is ${rule.property}`] : []));

/** The text of an observation; `undefined` if nothing on the level is "you". */
export function describe({ grid, rules }: BabaGame): string | undefined {
  const tops = [...grid.tops()];
  const you = tops.find(([, thing]) => thing.kind === 'item' && thing.name === rules.you);
  if (!you) return undefined;
  const lines = tops.flatMap(([[x, y], thing]) => {
    if (thing.kind === 'border' || (thing.kind === 'item' && thing.name === 'baba')) return [];
    const name = thing.kind === 'word' ? `rule \`${thing.word}\`` : thing.name;
    const parts = [steps(x - you[0][0], 'to the right', 'to the left'), steps(y - you[0][1], 'down', 'up')];
    const said = parts.filter((part) => part !== undefined);
    // of the place of "you" itself BALROG says nothing, in a line of its own
    return [said.length === 0 ? '' : `${name} ${said.join(' and ')}`];
  });
  return prompt(rules.all, lines.join('\n'));
}

const prompt = (rules: readonly Rule[], objects: string): string =>
  `Active rules:\n${describeRules(rules).join('\n')}\n\nObjects on the map:\n${objects}`;

/** BALROG writes "3 step to the left", but "3 steps to the right". */
function steps(count: number, forward: string, back: string): string | undefined {
  if (count === 0) return undefined;
  return count > 0 ? `${count} ${count > 1 ? 'steps' : 'step'} ${forward}` : `${-count} step ${back}`;
}

/**
 * The text after a step that left nobody "you".
 *
 * @param broken  The level before it was started again; its rules stay in the text.
 * @param fresh   The new level.
 * @param isPublished  As Python prints the whole observation, but for addresses in memory, which are 0x0 here.
 */
export function resetText(broken: BabaGame, fresh: BabaGame, isPublished: boolean): string {
  const text = describe(fresh) ?? '';
  if (!isPublished) return `${BROKEN}\n\n${text}`;
  const { width, height } = fresh.grid;
  const image = `<PIL.Image.Image image mode=RGB size=${width * BABA_TILE}x${height * BABA_TILE} at 0x0>`;
  const context = `{'long_term_context': '${text.replaceAll('\n', '\\n')}', 'short_term_context': ''}`;
  const printed = `defaultdict(<function BabaIsAIWrapper.textworld_process_obsv.<locals>.<lambda> at 0x0>, {'text': ${context}, 'image': ${image}})`;
  return `${BROKEN}${prompt(broken.rules.all, printed)}`;
}
