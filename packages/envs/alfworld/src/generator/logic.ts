/**
 * PDDL domain and twl2 grammar of generated households, in the command language of ALFWorld 0.5.0.
 *
 * Commands, sentences, and names of predicates and symbols are those of the original, so that its engine and its agents
 * can play these games; both texts are our own. Differences: objects can be examined only in the hand, which is stated
 * explicitly instead of by the comma of the original, and there are no costs.
 */

const AT = '(atLocation ?a ?l) (receptacleAtLocation ?r ?l)';
const REACHABLE = '(or (not (openable ?r)) (opened ?r))';

function action(name: string, parameters: string, precondition: string, effect: string): string {
  return `(:action ${name}\n  :parameters (${parameters})\n  :precondition (and ${precondition})\n  :effect (and ${effect}))\n`;
}

const WHO_WHERE = '?a - agent ?l - location';

function treatment(name: string, able: string, device: string, effect: string): string {
  return action(
    name,
    `${WHO_WHERE} ?r - receptacle ?o - object`,
    `(${able} ?o) (receptacleType ?r ${device}) ${AT} (holds ?a ?o)`,
    effect,
  );
}

const UNARY_OBJECT = [
  ...['isReceptacleObject', 'pickupable', 'cleanable', 'heatable', 'coolable', 'sliceable', 'toggleable'],
  ...['isClean', 'isHot', 'isCool', 'isSliced', 'isOn', 'isToggled'],
];

export const HOUSEHOLD_DOMAIN = `(define (domain household)
(:requirements :adl :typing)
(:types agent location receptacle object rtype otype)
(:predicates
  (atLocation ?a - agent ?l - location)
  (receptacleAtLocation ?r - receptacle ?l - location)
  (objectAtLocation ?o - object ?l - location)
  (receptacleType ?r - receptacle ?t - rtype)
  (objectType ?o - object ?t - otype)
  (canContain ?t - rtype ?o - otype)
  (inReceptacle ?o - object ?r - receptacle)
  (inReceptacleObject ?inner - object ?outer - object)
  (openable ?r - receptacle)
  (opened ?r - receptacle)
  (holds ?a - agent ?o - object)
  (holdsAny ?a - agent)
  (checked ?x - object)
${UNARY_OBJECT.map((name) => `  (${name} ?o - object)`).join('\n')}
)
${[
  action('look', WHO_WHERE, '(atLocation ?a ?l)', '(checked ?l)'),
  action('inventory', '?a - agent', '', '(checked ?a)'),
  action('help', '?a - agent', '', '(checked ?a)'),
  action('examineReceptacle', '?a - agent ?r - receptacle', `(exists (?l - location) (and ${AT}))`, '(checked ?r)'),
  action('examineObject', '?a - agent ?o - object', '(holds ?a ?o)', '(checked ?o)'),
  action(
    'GotoLocation',
    '?a - agent ?lStart - location ?lEnd - location ?r - receptacle',
    '(atLocation ?a ?lStart) (receptacleAtLocation ?r ?lEnd)',
    '(not (atLocation ?a ?lStart)) (atLocation ?a ?lEnd)',
  ),
  action(
    'OpenObject',
    `${WHO_WHERE} ?r - receptacle`,
    `(openable ?r) ${AT} (not (opened ?r))`,
    '(opened ?r) (checked ?r)',
  ),
  action('CloseObject', `${WHO_WHERE} ?r - receptacle`, `(openable ?r) ${AT} (opened ?r)`, '(not (opened ?r))'),
  action(
    'PickupObject',
    `${WHO_WHERE} ?o - object ?r - receptacle`,
    `(pickupable ?o) ${AT} (inReceptacle ?o ?r) (not (holdsAny ?a)) ${REACHABLE}`,
    '(not (inReceptacle ?o ?r)) (not (objectAtLocation ?o ?l)) (holds ?a ?o) (holdsAny ?a)',
  ),
  action(
    'PutObject',
    `${WHO_WHERE} ?o - object ?r - receptacle ?ot - otype ?rt - rtype`,
    `(holds ?a ?o) ${AT} ${REACHABLE} (objectType ?o ?ot) (receptacleType ?r ?rt) (canContain ?rt ?ot)`,
    '(inReceptacle ?o ?r) (objectAtLocation ?o ?l) (not (holds ?a ?o)) (not (holdsAny ?a))',
  ),
  treatment('CleanObject', 'cleanable', 'SinkBasinType', '(isClean ?o)'),
  treatment('HeatObject', 'heatable', 'MicrowaveType', '(isHot ?o) (not (isCool ?o))'),
  treatment('CoolObject', 'coolable', 'FridgeType', '(isCool ?o) (not (isHot ?o))'),
  action(
    'ToggleObject',
    `${WHO_WHERE} ?o - object ?r - receptacle`,
    `(toggleable ?o) ${AT} (inReceptacle ?o ?r)`,
    '(when (isOn ?o) (not (isOn ?o))) (when (not (isOn ?o)) (isOn ?o)) (isToggled ?o)',
  ),
  action(
    'SliceObject',
    `${WHO_WHERE} ?co - object ?ko - object`,
    '(sliceable ?co) (or (objectType ?ko KnifeType) (objectType ?ko ButterKnifeType)) (atLocation ?a ?l) (objectAtLocation ?co ?l) (holds ?a ?ko)',
    '(isSliced ?co)',
  ),
].join('')})
`;

type Rules = readonly (string | readonly [condition: string, rhs: string])[];

const THING = '{o.indefinite} {o.name}';
const CONTENT = "[{o.indefinite + ' ' + o.name | inreceptacle(o:object, r:receptacle)}]";
const HERE = 'atlocation(a:agent, l:location)';
const FACED = `${HERE} & receptacleatlocation(r:receptacle, l:location)`;
const MOVED = `${HERE} & objectatlocation(o:object, l:location) & receptacleatlocation(r:receptacle, l:location) & not_inreceptacle(o:object, r:receptacle)`;

const is = (...properties: string[]) => properties.map((property) => `${property}(o:object)`).join(' & ');

/** Descriptions of a held object, the most specific first. */
const STATES: readonly (readonly [properties: string[], words: string])[] = [
  [['isclean', 'ishot', 'issliced'], 'This is a hot and clean sliced {o.name}.'],
  [['isclean', 'iscool', 'issliced'], 'This is a cool and clean sliced {o.name}.'],
  [['isclean', 'issliced'], 'This is a clean sliced {o.name}.'],
  [['ishot', 'issliced'], 'This is a hot sliced {o.name}.'],
  [['iscool', 'issliced'], 'This is a cool sliced {o.name}.'],
  [['isclean', 'ishot'], 'This is a hot and clean {o.name}.'],
  [['isclean', 'iscool'], 'This is a cool and clean {o.name}.'],
  [['ishot'], 'This is a hot {o.name}.'],
  [['isclean'], 'This is a clean {o.name}.'],
  [['iscool'], 'This is a cold {o.name}.'],
  [['issliced'], 'This is a sliced {o.name}.'],
];

const HELP = `These commands are understood:
  look, inventory, help
  go to RECEPTACLE, open RECEPTACLE, close RECEPTACLE
  take OBJECT from RECEPTACLE, move OBJECT to RECEPTACLE
  examine RECEPTACLE, examine OBJECT in the hand
  use LAMP
  heat OBJECT with MICROWAVE, cool OBJECT with FRIDGE, clean OBJECT with SINKBASIN
  slice OBJECT with KNIFE`;

function symbols(sentence: string): Readonly<Record<string, Rules>> {
  return {
    intro: ['-= Welcome to TextWorld, ALFRED! =-\n\n#look.feedback#\n\n#task#'],
    task: [`Your task is to: ${sentence}.`],
    'look.feedback': [
      [FACED, 'You are facing the #faced#. Next to it, you see #moved#.'],
      'You are in the middle of a room. Looking quickly around you, you see #receptacles#.',
    ],
    faced: [`[{r.name | ${FACED}}]`],
    moved: [`[{#thing# | ${MOVED}}]`],
    thing: [THING],
    receptacles: ["[{r.indefinite + ' ' + r.name | receptacleatlocation(r:receptacle, l:location)}]"],
    content: [
      [`openable(r:receptacle) & opened(r:receptacle)`, `The {r.name} is open. In it, you see ${CONTENT}.`],
      ['openable(r:receptacle)', 'The {r.name} is closed.'],
      `On the {r.name}, you see ${CONTENT}.`,
    ],
    carried: [
      ['holdsany(a:agent)', "You are carrying: [{o.indefinite + ' ' + o.name | holds(a:agent, o:object)}]."],
      'You are not carrying anything.',
    ],
    examined: [
      [
        is('isreceptacleobject'),
        "This is a normal {o.name}. In it, you see [{i.indefinite + ' ' + i.name | inreceptacleobject(i:object, o:object)}].",
      ],
      ...STATES.map(([properties, words]) => [is(...properties), words] as const),
      "There's nothing special about {o.name}.",
    ],
    help: [HELP],
    list_empty: ['nothing'],
    list_separator: [', '],
    list_last_separator: [', and '],
  };
}

const SPOKEN: readonly (readonly [action: string, template: string, feedback: string])[] = [
  ['look', 'look', '#look.feedback#'],
  ['inventory', 'inventory', '#carried#'],
  ['help', 'help', '#help#'],
  ['examineReceptacle', 'examine {r}', '#content#'],
  ['examineObject', 'examine {o}', '#examined#'],
  ['GotoLocation', 'go to {r}', 'You arrive at {r.name}. #content#'],
  ['OpenObject', 'open {r}', 'You open the {r.name}. #content#'],
  ['CloseObject', 'close {r}', 'You close the {r.name}.'],
  ['PickupObject', 'take {o} from {r}', 'You pick up the {o.name} from the {r.name}.'],
  ['PutObject', 'move {o} to {r}', 'You move the {o.name} to the {r.name}.'],
  ['CleanObject', 'clean {o} with {r}', 'You clean the {o.name} using the {r.name}.'],
  ['HeatObject', 'heat {o} with {r}', 'You heat the {o.name} using the {r.name}.'],
  ['CoolObject', 'cool {o} with {r}', 'You cool the {o.name} using the {r.name}.'],
  ['ToggleObject', 'use {o}', 'You turn on the {o.name}.'],
  ['SliceObject', 'slice {co} with {ko}', 'You sliced the {co.name} with the {ko.name}.'],
];

/** @param sentence  The task without a full stop: `put a clean mug in shelf`. */
export function householdGrammar(sentence: string): string {
  const table = Object.fromEntries(
    Object.entries(symbols(sentence)).map(([symbol, rules]) => [
      symbol,
      rules.map((rule) => (typeof rule === 'string' ? { rhs: rule } : { condition: rule[0], rhs: rule[1] })),
    ]),
  );
  const actions = SPOKEN.map(
    ([name, template, feedback]) => `action ${name} {\n  template :: "${template}";\n  feedback :: "${feedback}";\n}\n`,
  );
  return `grammar :: """\n${JSON.stringify(table, null, 1)}\n""";\n\n${actions.join('\n')}`;
}
