import { findRegistration } from '@vlgym/core';

/** One environment for each training settings that are declared, the first: the others declare the same. */
export function distinctTraining(ids: readonly string[]): string[] {
  const firsts = new Map<string, string>();
  for (const id of ids) {
    const { training } = findRegistration(id);
    const settings = JSON.stringify(training);
    if (training && !firsts.has(settings)) firsts.set(settings, id);
  }
  return [...firsts.values()];
}
