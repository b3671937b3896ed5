/** What can be wrong with a run is said before minutes are spent on its warm start. */
import { algorithmOf } from './algorithms.js';
import { environment } from './evaluate-policy.js';
import { completeTask } from './settings.js';
import type { RunSpec } from './spec.js';

/** @throws {GymError} Algorithm, a choice of it, environment or an option of it does not exist. */
export async function checkRun(spec: Omit<RunSpec, 'resume'>): Promise<void> {
  algorithmOf(spec);
  const env = await environment(completeTask(spec))();
  await env.close();
}
