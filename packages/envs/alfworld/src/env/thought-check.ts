/**
 * Whether a thought in a household is true: what is needed, what is held, what is here. The task and the admissible commands
 * say so: `take mug 1 from desk 1` is there only where a mug stands and the hands are empty.
 *
 * Read are the sentences of this package's experts, and the notes that the preset `small` is taught (`need mug: none here.`).
 */
import type { HouseholdInfo } from './info.js';

type Known = Pick<HouseholdInfo, 'task' | 'admissibleCommands'>;
type Claim = boolean | undefined;

/** @param said  The text before the action, or the thought alone. */
export function checkThought(said: string, info: Known): Claim {
  const claims = RULES.flatMap(([pattern, isTrue]) => {
    const [, first = '', second = ''] = pattern.exec(said) ?? [undefined];
    return first === '' ? [] : [isTrue(info, first, second)];
  }).filter((claim) => claim !== undefined);
  return claims.length === 0 ? undefined : claims.every(Boolean);
}

type Rule = readonly [pattern: RegExp, isTrue: (info: Known, first: string, second: string) => Claim];

const RULES: readonly Rule[] = [
  [/My task is to (.{1,300}?)\. /, ({ task }, named) => task.replace(/\.$/, '') === named],
  [/\bI need (\w+ \d+), and it is here/, (info, thing) => isWanted(info, thing) && canTake(info, thing)],
  [/\. (\w+ \d+) is closed, so I open it/, can('open')],
  [/\bI hold (\w+ \d+) and can (heat|cool|clean) it/, (info, thing, verb) => can(verb)(info, thing)],
  [/\. (\w+ \d+) is here, so I turn it on/, can('use')],
  [
    /\bI am at (\w+ \d+) and put down what I hold/,
    ({ admissibleCommands }, place) => {
      return admissibleCommands.some((command) => /^(move|put) /.test(command) && command.endsWith(` ${place}`));
    },
  ],
  [/\bneed (\w+): (.{1,80}?)\./, (info, kind, where) => isWanted(info, kind) && isInSight(info, kind, where)],
  [/\bsecond (\w+): /, isWanted],
  [/\bhold (\w+ \d+),/, isHeld],
  [/\bhold \w+ \d+, (?:put in|need) (\w+)\b/, isWanted],
];

/** The task names its kind: `soapbar 3`, `soapbar`. */
function isWanted({ task }: Known, thing: string): boolean {
  return new RegExp(`\\b${kindOf(thing)}s?\\b`, 'i').test(task);
}

/** `none here`, `mug 2 here`; that a thing was seen elsewhere, `mug 3 in desk 1`, the state does not say. */
function isInSight(info: Known, kind: string, where: string): Claim {
  const here = info.admissibleCommands.filter((command) => new RegExp(`^(take|use) ${kind} \\d+\\b`).test(command));
  if (where === 'none here') return here.length === 0;
  const [, thing] = /^(\w+ \d+) here$/.exec(where) ?? [];
  return thing === undefined ? undefined : kindOf(thing) === kind && (canTake(info, thing) || can('use')(info, thing));
}

/** Commands with the hands show what is in them; where there are none, nothing is known. */
function isHeld({ admissibleCommands }: Known, thing: string): Claim {
  if (admissibleCommands.some((command) => command.startsWith('take '))) return false;
  const held = admissibleCommands.flatMap(
    (command) => /^(?:move|put|heat|cool|clean) (\w+ \d+) /.exec(command)?.[1] ?? [],
  );
  return held.length === 0 ? undefined : held.includes(thing);
}

const canTake = ({ admissibleCommands }: Known, thing: string): boolean =>
  admissibleCommands.some((command) => command.startsWith(`take ${thing} from `));

function can(verb: string) {
  return ({ admissibleCommands }: Known, thing: string): boolean =>
    admissibleCommands.some((command) => command === `${verb} ${thing}` || command.startsWith(`${verb} ${thing} `));
}

const kindOf = (thing: string): string => thing.split(' ', 1)[0]!;
