/** Conditions of training options beyond other options: facts of the environments, the model and the control. */
import type { Given } from '../../command-line/given.js';
import { checkNeeds } from '../../command-line/needs.js';
import { runControl } from '../controls/index.js';
import { isModelFolder } from '../policy.js';
import type { Task } from '../spec.js';
import { settingsOf } from './settings.js';

type Choices = Pick<Task, 'model'> & { readonly control?: string | undefined; readonly start?: string | undefined };

/** The weights that a name stands for, as conditions of options name them. */
export const weightsFact = (model: string): string => (isModelFolder(model) ? 'a model folder' : `the preset ${model}`);

/**
 * @param envs  Ids of the environments that train.
 * @throws {UsageError} An option that would change nothing.
 */
export function checkTaskNeeds(
  table: Parameters<typeof checkNeeds>[0],
  options: Choices,
  envs: readonly string[],
  given: Given,
): void {
  const { model, control, start } = options;
  const imitates = control !== undefined && runControl(control).kind === 'imitation';
  const isTaught = envs.some((env) => settingsOf(env).warmStart.teacher !== 'none');
  const facts = {
    start,
    weights: weightsFact(model),
    learner: imitates ? `the control ${control}` : 'an algorithm',
    teacher: isTaught ? 'a teacher' : `${envs.join(', ')}, which declares no warm start`,
    // it takes the lessons of a warm start in place of play, whatever it starts from
    ...(imitates && { start: undefined, warmStartExamples: undefined }),
  };
  checkNeeds(table, { warmStart: undefined, replayLedger: undefined, ...options, ...facts }, given);
}
