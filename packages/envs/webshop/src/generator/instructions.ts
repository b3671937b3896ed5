/** Writes instructions of shoppers in several styles, in our own words, with the lengths of crowd-written ones. */
import type { Draws } from './draws.js';
import type { Pattern } from './words.js';

export interface Wish {
  readonly noun: string;
  readonly attributes: readonly string[];
  readonly chosen: readonly { readonly name: string; readonly value: string }[];
  /** Visible in the picture only. */
  readonly pattern: Pattern | undefined;
}

type Style = (thing: string, traits: string, choices: readonly string[]) => string;

const and = (parts: readonly string[]) => parts.join(' and ');
const tail = (choices: readonly string[], join: string) => (choices.length > 0 ? `${join}${and(choices)}` : '');

const STYLES: readonly Style[] = [
  (thing, traits, choices) => `i am looking for ${a(thing)} that is ${traits}${tail(choices, ', in ')}`,
  (thing, traits, choices) => `i need ${a(thing)}, ${traits}${tail(choices, ', and it should be ')}`,
  (thing, traits, choices) => `please find me ${a(thing)} which is ${traits}${tail(choices, '. i want ')}`,
  (thing, traits, choices) => `looking to buy ${a(thing)}${tail(choices, ' in ')}, ${traits} if you can`,
  (thing, traits, choices) => `can you get me ${a(thing)}? it has to be ${traits}${tail(choices, '. choose ')}`,
  (thing, traits, choices) => `${traits} ${thing}${tail(choices, ', ')}`,
  (thing, traits, choices) => `my old ${thing} broke. find one that is ${traits}${tail(choices, ', preferably ')}`,
  (thing, traits, choices) => `i would like ${a(thing)} as a present${tail(choices, ', ')}; ${traits} please`,
  (thing, traits, choices) => `show me something ${traits}: ${a(thing)}${tail(choices, ' with ')}`,
  (thing, traits, choices) => `order ${a(thing)} for me, ${traits}${tail(choices, ', i take ')}`,
];

const a = (thing: string) => (/^[aeiou]/.test(thing) ? `an ${thing}` : /[^s]s$/.test(thing) ? thing : `a ${thing}`);

const SPOKEN: Readonly<Record<string, (value: string) => string>> = {
  color: (value) => `the color ${value}`,
  'flavor name': (value) => `${value} flavor`,
  'item package quantity': (value) => `a pack of ${value}`,
  'shoe size': (value) => `size ${value}`,
  size: (value) => `size ${value}`,
  scent: (value) => `${value} scent`,
  style: (value) => `the ${value} style`,
};

export function writeInstruction({ noun, attributes, chosen, pattern }: Wish, draws: Draws): string {
  const choices = chosen.map(({ name, value }) => SPOKEN[name]?.(value) ?? value);
  if (pattern) choices.push(pattern === 'plain' ? 'a design without any pattern' : `a ${pattern} design`);
  return draws.pick(STYLES)(noun, and(attributes), choices);
}
