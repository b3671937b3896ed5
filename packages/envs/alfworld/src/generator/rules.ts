/**
 * Rules of classes: which objects a receptacle accepts, and the properties of objects.
 *
 * ALFWorld's tables, and the classes that a custom household adds to them.
 */
import { CAN_CONTAIN, PROPERTIES } from './tables.generated.js';

/** Classes beyond ALFWorld's tables. */
export interface OwnRules {
  /** Receptacle class → object classes that it accepts besides those of the table. */
  readonly accepts: Readonly<Record<string, readonly string[]>>;
  /** New receptacle classes that open and close. */
  readonly openable: readonly string[];
  /** New object class → its properties, e.g. `pickupable`. */
  readonly properties: Readonly<Record<string, readonly string[]>>;
}

const of = (record: Readonly<Record<string, readonly string[]>> | undefined, key: string): readonly string[] =>
  record !== undefined && Object.hasOwn(record, key) ? record[key]! : [];

export function accepts(receptacle: string, object: string, own?: OwnRules): boolean {
  return of(CAN_CONTAIN, receptacle).includes(object) || of(own?.accepts, receptacle).includes(object);
}

export function hasProperty(property: string, type: string, own?: OwnRules): boolean {
  return of(PROPERTIES, property).includes(type) || of(own?.properties, type).includes(property);
}

export function isOpenable(receptacle: string, own?: OwnRules): boolean {
  return of(PROPERTIES, 'openable').includes(receptacle) || (own?.openable.includes(receptacle) ?? false);
}
