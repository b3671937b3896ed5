/** The rules that the words of a level form, from left to right and from top to bottom around each "is". */
import type { Grid, Place } from './grid.js';
import { OBJECTS, type ObjectName, PROPERTIES, type Property } from './things.js';

export type Rule =
  | { readonly object: ObjectName; readonly property: Property }
  | { readonly object: ObjectName; readonly becomes: ObjectName };

const isObject = (word: string | undefined): word is ObjectName => OBJECTS.some((each) => each === word);
const isProperty = (word: string | undefined): word is Property => PROPERTIES.some((each) => each === word);

export class Rules {
  /** In reading order of their "is"; the one across before the one down. */
  readonly all: readonly Rule[];

  constructor(grid: Grid) {
    const wordAt = (place: Place) => {
      const thing = grid.has(place) ? grid.top(place) : undefined;
      return thing?.kind === 'word' ? thing.word : undefined;
    };
    this.all = grid.stacks.flatMap((stack, at) => {
      const thing = stack.at(-1);
      if (thing?.kind !== 'word' || thing.word !== 'is') return NONE;
      const [x, y] = [at % grid.width, Math.floor(at / grid.width)];
      return [...ruleOf(wordAt([x - 1, y]), wordAt([x + 1, y])), ...ruleOf(wordAt([x, y - 1]), wordAt([x, y + 1]))];
    });
  }

  has(object: ObjectName, property: Property): boolean {
    return this.all.some((rule) => rule.object === object && 'property' in rule && rule.property === property);
  }

  /** The object that texts are written from: that of the last rule with "you". */
  get you(): ObjectName | undefined {
    return this.all.findLast((rule) => 'property' in rule && rule.property === 'you')?.object;
  }
}

const NONE: Rule[] = [];

function ruleOf(first: string | undefined, last: string | undefined): Rule[] {
  if (!isObject(first)) return [];
  if (isProperty(last)) return [{ object: first, property: last }];
  return isObject(last) ? [{ object: first, becomes: last }] : [];
}
