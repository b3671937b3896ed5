/**
 * Classes of a plan: those of ALFWorld, and new ones where the rules allow them.
 *
 * ALFWorld's rules know classes by name alone. A new receptacle says what it accepts, a new object what can be done with it;
 * machines that clean, heat and cool stay ALFWorld's. A name that nobody declares is a typing error, not a new class.
 */
import { closest, InvalidOptionError } from '@vlgym/core';
import { SHAPES } from '../generator/furniture.js';
import type { OwnRules } from '../generator/rules.js';
import { PLACED, PROPERTIES } from '../generator/tables.generated.js';

import type { CheckedPlan } from './plan.js';

const RECEPTACLES: readonly string[] = Object.keys(SHAPES);
/** Objects that can be taken or switched on, and scenery. */
const OBJECTS: readonly string[] = [
  ...new Set([
    ...PROPERTIES.pickupable!,
    ...PROPERTIES.toggleable!,
    ...Object.values(PLACED).flatMap(({ objects }) => Object.keys(objects)),
  ]),
];

const isReceptacle = (type: string) => RECEPTACLES.includes(type);
const isObject = (type: string) => OBJECTS.includes(type);

/** @throws {InvalidOptionError} A class is unknown and not declared, declared twice, or its name means something else. */
export function ownRules({ rooms, objects }: CheckedPlan): OwnRules {
  const accepts = new Map<string, Set<string>>();
  const openable = new Map<string, boolean>();
  const properties = new Map<string, readonly string[]>();
  for (const [index, { type, properties: given }] of objects.entries()) {
    const at = `objects.${index}`;
    if (given === undefined) continue;
    if (isObject(type)) {
      throw new InvalidOptionError(
        `${at}.properties`,
        given,
        `no value for ${type}: ALFWorld’s rules say what can be done with it`,
        'leave `properties` out, or give the new class another name',
      );
    }
    checkNewName(`${at}.type`, type, 'receptacles', isReceptacle(type));
    const all = ['pickupable', ...new Set(given)].sort();
    const before = properties.get(type);
    if (before !== undefined && before.join() !== all.join()) {
      throw new InvalidOptionError(
        `${at}.properties`,
        given,
        `the same properties as before for ${type}, in any order`,
        'the properties belong to the class: give them once, or the same each time',
      );
    }
    properties.set(type, all);
  }
  const known = [...OBJECTS, ...properties.keys()];
  for (const [index, room] of rooms.entries()) {
    for (const [number, { type, accepts: more, openable: opens }] of room.receptacles.entries()) {
      const at = `rooms.${index}.receptacles.${number}`;
      if (opens !== undefined) {
        if (isReceptacle(type)) {
          throw new InvalidOptionError(
            `${at}.openable`,
            opens,
            `no value for ${type}: ALFWorld’s rules say whether it opens`,
            'leave `openable` out, or give the new class another name',
          );
        }
        if ((openable.get(type) ?? opens) !== opens) {
          throw new InvalidOptionError(
            `${at}.openable`,
            opens,
            `${!opens}, as before for ${type}`,
            'it belongs to the class',
          );
        }
        openable.set(type, opens);
      }
      if (more === undefined) continue;
      if (!isReceptacle(type)) checkNewName(`${at}.type`, type, 'objects', isObject(type) || properties.has(type));
      const accepted = accepts.get(type) ?? new Set();
      for (const [position, object] of more.entries()) {
        if (!known.includes(object)) throw unknownClass(`${at}.accepts.${position}`, object, known, OBJECT_HINT);
        accepted.add(object);
      }
      accepts.set(type, accepted);
    }
  }
  const places = [...RECEPTACLES, ...accepts.keys()];
  for (const [index, room] of rooms.entries()) {
    for (const [number, { type }] of room.receptacles.entries()) {
      if (!places.includes(type))
        throw unknownClass(`rooms.${index}.receptacles.${number}.type`, type, places, RECEPTACLE_HINT);
    }
  }
  for (const [index, { type }] of objects.entries()) {
    if (!known.includes(type)) throw unknownClass(`objects.${index}.type`, type, known, OBJECT_HINT);
  }
  checkSpellings([...places, ...known]);
  return {
    accepts: Object.fromEntries([...accepts].map(([type, accepted]) => [type, [...accepted].sort()])),
    openable: [...openable].flatMap(([type, opens]) => (opens ? [type] : [])),
    properties: Object.fromEntries(properties),
  };
}

const OBJECT_HINT = 'a new class needs `properties` in `objects`, `[]` if it can only be taken';
const RECEPTACLE_HINT = 'a new class needs `accepts`, the classes of objects that can be put there';

function unknownClass(option: string, type: string, known: readonly string[], hint: string): InvalidOptionError {
  const near = closest(type, known);
  const expected = `a known class${near === undefined ? '' : `, perhaps ${near}`}: ${known.slice(0, 8).join(', ')}, …`;
  return new InvalidOptionError(option, type, expected, hint);
}

/** Names that ids of games reserve (`docs/specs/alfworld.md` 2.5 and 7): a location, and everything called a basin. */
function checkNewName(option: string, type: string, others: string, isTaken: boolean): void {
  const hint = 'give your class another name';
  if (isTaken) throw new InvalidOptionError(option, type, `a name that no class of ${others} has`, hint);
  if (type === 'Loc' || /basin/i.test(type))
    throw new InvalidOptionError(
      option,
      type,
      'a name other than `Loc` and without `basin`, which games read as their own',
      hint,
    );
}

/** Games know classes in lower case. */
function checkSpellings(types: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const type of types) {
    const other = seen.get(type.toLowerCase());
    if (other !== undefined && other !== type) {
      throw new InvalidOptionError(
        'class',
        type,
        `a class that differs from ${other} in more than capitals`,
        `write ${other}`,
      );
    }
    seen.set(type.toLowerCase(), type);
  }
}
