/** Content of a page: what it asks and what it says, wherever it stands. */
import { contentDigest, taskKey } from '@vlgym/core';
import type { MiniWoBObservation } from './observation.js';

/** Key of a task for splits: name, and a digest of the instruction with roles and names of its elements. */
export function contentKey(task: string, { utterance, elements }: MiniWoBObservation): string {
  const said = elements.map(({ role, name, options }) => [role, name, options ?? []]);
  return taskKey('miniwob', `${task}:${contentDigest(JSON.stringify([utterance, said]))}`);
}

/** Digest of an observation without its picture, for comparing a restored episode; pictures differ between machines. */
export const fingerprint = (observation: MiniWoBObservation): string => {
  const { screenshot: _, ...read } = observation;
  return contentDigest(JSON.stringify(read));
};
