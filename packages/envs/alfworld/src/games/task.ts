/** The six task types, and the task of a game. */
import type { Atom, Formula } from '../pddl/formula.js';

/** In the order of their ids, 1 to 6. */
export const TASK_TYPES = [
  'pick_and_place_simple',
  'look_at_obj_in_light',
  'pick_clean_then_place_in_recep',
  'pick_heat_then_place_in_recep',
  'pick_cool_then_place_in_recep',
  'pick_two_obj_and_place',
] as const;

export type TaskType = (typeof TASK_TYPES)[number];

export function isTaskType(value: unknown): value is TaskType {
  return TASK_TYPES.includes(value as TaskType);
}

/** The task in classes of the game, in lower case (`mugtype`). */
export interface Task {
  readonly type: TaskType;
  /** Class of the object. */
  readonly object: string;
  /** Class of the target receptacle; absent for the lamp task. */
  readonly receptacle?: string;
  /** Class of the lamp. */
  readonly lamp?: string;
}

const TREATMENTS: Readonly<Record<string, TaskType>> = {
  isclean: 'pick_clean_then_place_in_recep',
  ishot: 'pick_heat_then_place_in_recep',
  iscool: 'pick_cool_then_place_in_recep',
};

/**
 * Reads the task from a goal (the six forms of `docs/specs/alfworld.md`, section 3), so that experts and goal
 * conditions need nothing but the game itself.
 *
 * @returns `undefined` for a goal of another form.
 */
export function taskOfGoal(goal: Formula): Task | undefined {
  const atoms = positiveAtoms(goal);
  const named = (predicate: string) => atoms.filter((atom) => atom.predicate === predicate);
  const placed = named('inreceptacle');
  const lampVariable = named('istoggled')[0]?.terms[0];
  const classes = named('objecttype');
  if (lampVariable !== undefined) {
    const lamp = classes.find(({ terms }) => terms[0] === lampVariable)?.terms[1];
    const object = classes.find(({ terms }) => terms[0] !== lampVariable)?.terms[1];
    return lamp && object ? { type: 'look_at_obj_in_light', object, lamp } : undefined;
  }
  const object = classes[0]?.terms[1];
  const receptacle = named('receptacletype')[0]?.terms[1];
  if (object === undefined || receptacle === undefined || placed.length === 0) return undefined;
  if (new Set(classes.map(({ terms }) => terms[1])).size > 1) return undefined;
  const treatment = Object.keys(TREATMENTS).find((predicate) => named(predicate).length > 0);
  if (treatment !== undefined)
    return placed.length === 1 ? { type: TREATMENTS[treatment]!, object, receptacle } : undefined;
  if (placed.length > 2) return undefined;
  return { type: placed.length === 2 ? 'pick_two_obj_and_place' : 'pick_and_place_simple', object, receptacle };
}

function positiveAtoms(formula: Formula): Atom[] {
  switch (formula.kind) {
    case 'atom':
      return [formula];
    case 'and':
      return formula.parts.flatMap(positiveAtoms);
    case 'exists':
      return positiveAtoms(formula.part);
    default:
      return [];
  }
}
