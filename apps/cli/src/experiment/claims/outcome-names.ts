/** The outcomes of a run that contrasts may be about. */
export const OUTCOMES = [
  'success',
  'strict',
  'thoughts',
  'legal',
  'area',
  'late-slope',
  'gain',
  'teacher-gap',
  'teacher-thought-gap',
  'self-bleu',
  'distinct-thoughts',
  'sight',
  'sight-gray',
  'cpu-seconds',
] as const;

export type Outcome = (typeof OUTCOMES)[number];
