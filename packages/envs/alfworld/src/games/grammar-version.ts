/**
 * Three generations of ALFWorld's grammar, and the conversion of old games to newer ones.
 *
 * Rules: `docs/specs/alfworld.md`, section 1. Each game contains its own grammar; conversion is optional.
 */

import type { GameTexts } from '../engine/game.js';
import { GameFileError } from '../errors.js';

export type GrammarVersion = 'embedded' | 'patched-2.1.2' | 'v0.5.0';

export const GRAMMAR_VERSIONS: readonly GrammarVersion[] = ['embedded', 'patched-2.1.2', 'v0.5.0'];

/** `alfred.pddl` and `alfred.twl2` as ALFWorld installs them. */
export interface LogicTexts {
  readonly domain: string;
  readonly grammar: string;
}

/** Text before the task sentence in a grammar of ALFWorld. */
const TASK = 'Your task is to: ';

const HELP_ACTION = `(:action help
    :parameters (?a - agent)
    :precondition ()
    :effect (and (checked ?a))
)
`;

/** Help text of the patched archive, line by line; part of the format. */
const HELP_LINES = [
  'Available commands:',
  '  look:                             look around your current location',
  '  inventory:                        check your current inventory',
  '  go to (receptacle):               move to a receptacle',
  '  open (receptacle):                open a receptacle',
  '  close (receptacle):               close a receptacle',
  '  take (object) from (receptacle):  take an object from a receptacle',
  '  move (object) to (receptacle):  place an object in or on a receptacle',
  '  examine (something):              examine a receptacle or an object',
  '  use (object):                     use an object',
  '  heat (object) with (receptacle):  heat an object using a receptacle',
  '  clean (object) with (receptacle): clean an object using a receptacle',
  '  cool (object) with (receptacle):  cool an object using a receptacle',
  '  slice (object) with (object):     slice an object using a sharp object',
];

const HELP_TEXT = `
action help {
    template :: "help";
    feedback :: "
${HELP_LINES.join('\n')}
";
}
`;

const NEW_WORDS: readonly (readonly [old: string, renewed: string])[] = [
  ['You arrive at {lend.name}.', 'You arrive at {r.name}.'],
  ['put {o} in/on {r}', 'move {o} to {r}'],
  ['You put the {o.name} in/on the {r.name}.', 'You move the {o.name} to the {r.name}.'],
];

/**
 * @param logic  Files of release 0.5.0, needed for `v0.5.0`; this package does not contain them.
 * @throws {GameFileError} `INVALID_GAME`: they are missing, or the game has no task sentence.
 */
export function renderAgain(texts: GameTexts, version: GrammarVersion, logic?: LogicTexts): GameTexts {
  if (version === 'embedded') return texts;
  if (version === 'patched-2.1.2') return patched(texts);
  if (logic === undefined) {
    throw new GameFileError('The files of grammar v0.5.0 are missing.', {
      expected: 'logic/alfred.pddl and logic/alfred.twl2 of ALFWorld 0.5.0 next to the games',
      hint: "set the option `logic` to their folder, or use `grammarVersion: 'patched-2.1.2'`",
    });
  }
  const sentence = taskIn(texts.grammar);
  if (sentence === undefined) throw new GameFileError('The grammar of the game has no "Your task is to: …".');
  // The placeholder is `UNKNOWN GOAL`; the full stop after it belongs to the surrounding text.
  return { ...texts, domain: logic.domain, grammar: logic.grammar.replace('UNKNOWN GOAL', () => sentence) };
}

/** The task sentence up to the next unescaped quote, without its full stop; `undefined` if there is none. */
function taskIn(grammar: string): string | undefined {
  let start = grammar.indexOf(TASK);
  if (start < 0) return undefined;
  start += TASK.length;
  let last = ''; // what stands before the quote, where no backslash stands before that
  for (let at = start; at < grammar.length; at += 1) {
    const sign = grammar.charAt(at);
    if (sign === '"') return grammar.slice(start, last === '.' ? at - 1 : at);
    last = sign === '\\' ? '' : sign;
    if (sign === '\\') at += 1;
  }
  return undefined;
}

function patched({ domain, problem, grammar }: GameTexts): GameTexts {
  if (/^action help\b/m.test(grammar)) return { domain, problem, grammar };
  const end = domain.lastIndexOf(')');
  const renewed = NEW_WORDS.reduce((text, [old, words]) => text.replaceAll(old, words), grammar);
  return {
    problem,
    domain: `${domain.slice(0, end)}${HELP_ACTION}${domain.slice(end)}`,
    grammar: `${renewed}${HELP_TEXT}`,
  };
}
