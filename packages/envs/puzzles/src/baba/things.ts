/** The things on a level of Baba Is AI. Names are those of BALROG's texts. */

export const OBJECTS = ['ball', 'key', 'door', 'wall', 'baba'] as const;
export type ObjectName = (typeof OBJECTS)[number];

export const PROPERTIES = ['you', 'win', 'stop'] as const;
export type Property = (typeof PROPERTIES)[number];

/** Words on blocks that can be pushed. */
export const WORDS = [...OBJECTS, 'is', ...PROPERTIES] as const;
export type Word = (typeof WORDS)[number];

export const COLORS = ['red', 'blue', 'green', 'gray', 'white'] as const;
export type Color = (typeof COLORS)[number];

/** The color of an object that a rule has made. */
const OWN_COLORS: Readonly<Record<ObjectName, Color>> = {
  ball: 'green',
  key: 'blue',
  door: 'red',
  wall: 'gray',
  baba: 'white',
};

/** Right, down, left, up. */
export const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/** The wall around a level, which no rule is about. */
export interface Border {
  readonly kind: 'border';
}

/** A block with a word, which whoever is "you" can push. */
export interface WordBlock {
  readonly kind: 'word';
  readonly word: Word;
}

/** An object that rules are about. */
export interface Item {
  readonly kind: 'item';
  readonly name: ObjectName;
  readonly color: Color;
  /** Index into `DIRECTIONS`. */
  direction: number;
  /** It was moved as "you", in the last step in which it was one and lay on top. */
  hasMoved: boolean;
}

export type Thing = Border | WordBlock | Item;

export const BORDER: Border = { kind: 'border' };
export const wordBlock = (word: Word): WordBlock => ({ kind: 'word', word });
export const item = (name: ObjectName, color: Color = OWN_COLORS[name]): Item => ({
  kind: 'item',
  name,
  color,
  direction: 0,
  hasMoved: false,
});
