/** The PDDL problem of a household, with ids in the form of ALFWorld's (`docs/specs/alfworld.md` 2.5). */
import type { Household, Target } from './household-types.js';
import type { Pose } from './layout.js';
import { accepts, hasProperty, isOpenable } from './rules.js';

/** Object classes that every problem declares, because the domain or goal may name them. */
const NAMED_CLASSES = ['Knife', 'ButterKnife'];
const NAMED_RECEPTACLES = ['SinkBasin', 'Microwave', 'Fridge'];

/** Facts of an object by its class, in the order of writing. */
const OBJECT_PROPERTIES = [
  'pickupable',
  'isReceptacleObject',
  'cleanable',
  'heatable',
  'coolable',
  'sliceable',
  'toggleable',
];

export function writeProblem({ id, layout, things, target, rules }: Household): string {
  const objectClasses = sorted([...things.map(({ type }) => type), ...NAMED_CLASSES, target.object]);
  const receptacleClasses = sorted([...layout.receptacles.map(({ type }) => type), ...NAMED_RECEPTACLES]);
  const locations = sorted([layout.start, ...layout.receptacles.map(({ pose }) => pose)].map(locationId));
  const facts = [
    `(atLocation agent1 ${locationId(layout.start)})`,
    ...layout.receptacles.flatMap(({ type, id: name, pose }) => [
      `(receptacleType ${mangled(name)} ${type}Type)`,
      `(receptacleAtLocation ${mangled(name)} ${locationId(pose)})`,
      ...(isOpenable(type, rules) ? [`(openable ${mangled(name)})`] : []),
    ]),
    ...things.flatMap(({ type, id: name, receptacle }) => [
      `(objectType ${mangled(name)} ${type}Type)`,
      ...OBJECT_PROPERTIES.filter((property) => hasProperty(property, type, rules)).map(
        (property) => `(${property} ${mangled(name)})`,
      ),
      `(inReceptacle ${mangled(name)} ${mangled(receptacle.id)})`,
      `(objectAtLocation ${mangled(name)} ${locationId(receptacle.pose)})`,
    ]),
    ...receptacleClasses.flatMap((receptacle) =>
      objectClasses
        .filter((object) => accepts(receptacle, object, rules))
        .map((object) => `(canContain ${receptacle}Type ${object}Type)`),
    ),
  ];
  const objects = [
    'agent1 - agent',
    ...objectClasses.map((type) => `${type}Type - otype`),
    ...receptacleClasses.map((type) => `${type}Type - rtype`),
    ...locations.map((name) => `${name} - location`),
    ...layout.receptacles.map(({ id: name }) => `${mangled(name)} - receptacle`),
    ...things.map(({ id: name }) => `${mangled(name)} - object`),
  ];
  return `(define (problem ${id.replaceAll('/', '_')})
(:domain household)
(:objects
${indented(objects)}
)
(:init
${indented(facts)}
)
(:goal ${goalOf(target)})
)
`;
}

/** The forms of ALFWorld's goals (`docs/specs/alfworld.md`, section 3). */
function goalOf({ type, object, receptacle, lamp }: Target): string {
  const inPlace = (name: string) => `(inReceptacle ${name} ?r) (objectType ${name} ${object}Type)`;
  const place = `(receptacleType ?r ${receptacle}Type)`;
  const single = (...more: string[]) =>
    `(exists (?r - receptacle ?o - object) (and ${[...more, inPlace('?o'), place].join(' ')}))`;
  switch (type) {
    case 'look_at_obj_in_light':
      return `(and
  (exists (?t - object ?r - receptacle ?a - agent ?l - location) (and
    (objectType ?t ${lamp}Type) (toggleable ?t) (isToggled ?t)
    (receptacleAtLocation ?r ?l) (atLocation ?a ?l) (inReceptacle ?t ?r)))
  (exists (?o - object ?a - agent) (and (objectType ?o ${object}Type) (holds ?a ?o))))`;
    case 'pick_two_obj_and_place':
      return `(exists (?r - receptacle ?o1 - object ?o2 - object) (and
  (not (= ?o1 ?o2)) ${inPlace('?o1')} ${inPlace('?o2')} ${place}))`;
    case 'pick_clean_then_place_in_recep':
      return single('(cleanable ?o) (isClean ?o)');
    case 'pick_heat_then_place_in_recep':
      return single('(heatable ?o) (isHot ?o)');
    case 'pick_cool_then_place_in_recep':
      return single('(coolable ?o) (isCool ?o)');
    default:
      return single();
  }
}

/** Spells out characters that PDDL names cannot contain. */
function mangled(id: string): string {
  return id
    .replaceAll('|', '_bar_')
    .replaceAll('-', '_minus_')
    .replaceAll('+', '_plus_')
    .replaceAll('.', '_dot_')
    .replaceAll(',', '_comma_');
}

function locationId({ x, z, rotation, horizon }: Pose): string {
  return mangled(`loc|${x}|${z}|${rotation}|${horizon}`);
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}
