/** Shared by the multiple-choice benchmarks: the closing sentence, and the verdict on a letter. */
import type { PromptPart, Verdict } from '../benchmark.js';

export const LETTER = "Answer with the option's letter from the given choices directly.";

/** All pictures, then the text. */
export const picturesFirst = (pictures: number, text: string): PromptPart[] => [...Array(pictures).keys(), text];

export const lines = (...list: readonly string[]): string => list.join('\n');

/** The first letters of the alphabet. */
export const letters = (count: number): string[] => [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.slice(0, count)];

/** @param extracted  A letter; empty if the answer names none. */
export const letterVerdict = (extracted: string, isRight: boolean): Verdict => ({
  score: Number(isRight),
  ...(extracted !== '' && { extracted }),
  invalid: extracted === '',
});

/** Pictures in the place of the marks `<image>`; those without a mark come first. */
export function interleaved(pictures: number, text: string): PromptPart[] {
  const pieces = text.split('<image>');
  if (pieces.length - 1 !== pictures) return picturesFirst(pictures, text);
  return pieces.flatMap((piece, index) => [...(index > 0 ? [index - 1] : []), ...(piece === '' ? [] : [piece])]);
}
