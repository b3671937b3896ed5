/**
 * Whether a thought in a household is true: what is needed, what is held, what is here. The task and the admissible commands
 * say so: `take mug 1 from desk 1` is there only where a mug stands and the hands are empty.
 *
 * It reads the sentences of this package's experts, and the notes that the preset `small` is taught (`need mug: none here.`).
 */
import type { HouseholdInfo } from './info.js';

type Known = Pick<HouseholdInfo, 'task' | 'admissibleCommands'>;
type Claim = boolean | undefined;

/** @param said  The text before the action, or the thought alone. */
export function checkThought(said: string, info: Known): Claim {
  const claims = RULES.flatMap(([pattern, isTrue]) => {
    const [, first = '', second = ''] = pattern.exec(said) ?? [undefined];
    return first === '' ? [] : [isTrue(info, first, second, said)];
  }).filter((claim) => claim !== undefined);
  return claims.length === 0 ? undefined : claims.every(Boolean);
}

type Rule = readonly [pattern: RegExp, isTrue: (info: Known, first: string, second: string, said: string) => Claim];

const RULES: readonly Rule[] = [
  [/(My task is to )/, ({ task }, phrase, _, said) => said.includes(`${phrase}${task.replace(/\.$/, '')}. `)],
  [/\bI need (\w{1,40} \d{1,4}), and it is here/, (info, thing) => isWanted(info, thing) && canTake(info, thing)],
  [/\. (\w{1,40} \d{1,4}) is closed, so I open it/, can('open')],
  [/\bI hold (\w{1,40} \d{1,4}) and can (heat|cool|clean) it/, (info, thing, verb) => can(verb)(info, thing)],
  [/\. (\w{1,40} \d{1,4}) is here, so I turn it on/, can('use')],
  [
    /\bI am at (\w{1,40} \d{1,4}) and put down what I hold/,
    ({ admissibleCommands }, place) => {
      return admissibleCommands.some((command) => /^(move|put) /.test(command) && command.endsWith(` ${place}`));
    },
  ],
  [
    /\bneed (\w{1,40}): (\w{1,40} [\w ]{1,80})\./,
    (info, kind, where) => isWanted(info, kind) && isInSight(info, kind, where),
  ],
  [/\bsecond (\w{1,40}): /, isWanted],
  [/\bhold (\w{1,40} \d{1,4}),/, isHeld],
  [/\bhold \w{1,40} \d{1,4}, (?:put in|need) (\w{1,40})\b/, isWanted],
];

/** The task names its kind: `soapbar 3`, `soapbar`. */
function isWanted({ task }: Known, thing: string): boolean {
  const words = task.toLowerCase().split(/[^a-z]/);
  return words.includes(kindOf(thing)) || words.includes(`${kindOf(thing)}s`);
}

/** `none here`, `mug 2 here`; that a thing was seen elsewhere, `mug 3 in desk 1`, the state does not say. */
function isInSight(info: Known, kind: string, where: string): Claim {
  if (where === 'none here') {
    const offers = ['take', 'use'].map((verb) => `${verb} ${kind} `);
    return !info.admissibleCommands.some((command) => offers.some((offer) => command.startsWith(offer)));
  }
  if (!where.endsWith(' here')) return undefined;
  const thing = where.slice(0, -' here'.length);
  return kindOf(thing) === kind && (canTake(info, thing) || can('use')(info, thing));
}

/** Commands with the hands show what is in them; where there are none, nothing is known. */
function isHeld({ admissibleCommands }: Known, thing: string): Claim {
  if (admissibleCommands.some((command) => command.startsWith('take '))) return false;
  const held = admissibleCommands.flatMap(
    (command) => /^(?:move|put|heat|cool|clean) (\w{1,40} \d{1,4}) /.exec(command)?.[1] ?? [],
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
