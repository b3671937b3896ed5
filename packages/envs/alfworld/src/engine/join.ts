/**
 * The steps of joins: each binds or tests one atom and calls the next.
 *
 * A frame holds the number of the object bound to each slot. Which slots are bound at a step is known when the plan is
 * made, so no step checks it at run time; stale numbers in unbound slots do no harm.
 */
import type { Relation } from './relation.js';
import type { Mask } from './world.js';

export type Frame = Int32Array;

/** Runs the rest of a plan. True stops the search. */
export type Step = (relations: readonly Relation[], frame: Frame, visit: Visit) => boolean;

/** Called with each solution in the frame; true stops the search. */
export type Visit = () => boolean;

/** Last step of a plan that returns all its solutions. */
export const visitEach: Step = (_relations, _frame, visit) => visit();

/** Last step of a plan that only tests for a solution. */
export const stop: Step = () => true;

export interface AtomStepOptions {
  readonly relation: number;
  readonly slots: readonly number[];
  readonly isBound: (slot: number) => boolean;
  readonly maskOf: (slot: number) => Mask;
  /** In queries of the grammar: slots whose objects a new one must differ from, besides those of the atom itself. */
  readonly different?: readonly number[];
}

/** Matches one positive atom; solutions ascend by its arguments. */
export function atomStep({ relation, slots, isBound, maskOf, different }: AtomStepOptions, next: Step): Step {
  const [a = 0, b = 0] = slots;
  const fits = fitting(different);
  if (slots.length === 0 || slots.every(isBound)) {
    if (slots.length > 2) return tupleStep({ relation, slots, isBound, maskOf, ...(different && { different }) }, next);
    return (relations, frame, visit) => relations[relation]!.has(frame[a]!, frame[b]!) && next(relations, frame, visit);
  }
  if (slots.length === 1) return rowStep((relations) => relations[relation]!.members, a, maskOf(a), fits, next);
  if (slots.length > 2) return tupleStep({ relation, slots, isBound, maskOf, ...(different && { different }) }, next);
  if (isBound(a))
    return rowStep((relations, frame) => relations[relation]!.byFirst[frame[a]!], b, maskOf(b), fits, next);
  if (isBound(b))
    return rowStep((relations, frame) => relations[relation]!.bySecond[frame[b]!], a, maskOf(a), fits, next);
  const inner: Step =
    a === b
      ? (relations, frame, visit) => relations[relation]!.has(frame[a]!, frame[a]!) && next(relations, frame, visit)
      : rowStep(
          (relations, frame) => relations[relation]!.byFirst[frame[a]!],
          b,
          maskOf(b),
          fitting(different && [...different, a]),
          next,
        );
  const maskA = maskOf(a);
  return (relations, frame, visit) => {
    const rows = relations[relation]!.byFirst;
    for (let first = 0; first < rows.length; first += 1) {
      if (rows[first] === undefined || (maskA && maskA[first] === 0) || !fits(frame, first)) continue;
      frame[a] = first;
      if (inner(relations, frame, visit)) return true;
    }
    return false;
  };
}

/** Binds every object of a type. */
export function typeStep(slot: number, mask: Mask, objects: number, next: Step): Step {
  const members = Array.from({ length: objects }, (_, index) => index).filter((index) => !mask || mask[index] === 1);
  return (relations, frame, visit) => {
    for (const member of members) {
      frame[slot] = member;
      if (next(relations, frame, visit)) return true;
    }
    return false;
  };
}

/** Continues if `test` holds. */
export function testStep(test: (relations: readonly Relation[], frame: Frame) => boolean, next: Step): Step {
  return (relations, frame, visit) => test(relations, frame) && next(relations, frame, visit);
}

type Fits = (frame: Frame, value: number) => boolean;

function fitting(different: readonly number[] | undefined): Fits {
  if (different === undefined || different.length === 0) return () => true;
  return (frame, value) => {
    for (const slot of different) if (frame[slot] === value) return false;
    return true;
  };
}

type Row = (relations: readonly Relation[], frame: Frame) => readonly number[] | undefined;

function rowStep(row: Row, slot: number, mask: Mask, fits: Fits, next: Step): Step {
  return (relations, frame, visit) => {
    const values = row(relations, frame);
    if (values === undefined) return false;
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index]!;
      if ((mask && mask[value] === 0) || !fits(frame, value)) continue;
      frame[slot] = value;
      if (next(relations, frame, visit)) return true;
    }
    return false;
  };
}

/** Matches atoms of three or more arguments by a scan that binds from left to right. */
function tupleStep({ relation, slots, isBound, maskOf, different }: AtomStepOptions, next: Step): Step {
  const steps = slots.map((slot, index) => {
    const isNew = !isBound(slot) && slots.indexOf(slot) === index;
    return { slot, isNew, mask: maskOf(slot), fits: fitting(different && [...different, ...slots.slice(0, index)]) };
  });
  const matches = (frame: Frame, fact: readonly number[]): boolean =>
    steps.every(({ slot, isNew, mask, fits }, index) => {
      const value = fact[index]!;
      if (!isNew) return frame[slot] === value;
      if ((mask && mask[value] === 0) || !fits(frame, value)) return false;
      frame[slot] = value;
      return true;
    });
  return (relations, frame, visit) => {
    for (const fact of relations[relation]!.tuples) {
      if (matches(frame, fact) && next(relations, frame, visit)) return true;
    }
    return false;
  };
}
