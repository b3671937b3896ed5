/** Every value in force in a run, in addition to the options of its algorithm, and where it comes from. */
import type { Given } from '../../command-line/given.js';
import { judgmentOf } from '../evaluation/judgment.js';
import { isModelFolder, loraOf, modelTraining, optimizerOf } from '../policy.js';
import { type RunSpec, runSchema } from '../spec.js';
import { isTaught, lessonsOf } from '../warm-start/lessons.js';
import { completeTask, isDeclared } from './settings.js';

export interface Setting {
  /** As in a config file, or a path such as `warmStart.batch`. */
  readonly name: string;
  readonly value: unknown;
  /** `flag`, `file`, `environment`, `model`, or `default`: vlgym's own. */
  readonly origin: string;
}

export interface EffectiveSettings {
  /** Options of `vlgym train`. */
  readonly options: readonly Setting[];
  /** Settings that no option of `vlgym train` can change. */
  readonly fixed: readonly Setting[];
}

/** Options whose values the environment declares unless they are typed. */
const DECLARED: readonly string[] = [
  'envOptions',
  'updates',
  'stepsPerUpdate',
  'numEnvs',
  'evaluateEvery',
  'evaluationTemperature',
  'warmStartExamples',
  'warmStartMistakes',
  'warmStartLearningRate',
  'warmStartBatch',
];

/** Options that do not affect the run's result. */
const NOT_SHOWN: readonly string[] = ['set', 'resume', 'printConfig'];

export function effectiveSettings(plan: RunSpec & { readonly given?: Given | undefined }): EffectiveSettings {
  const task = completeTask(plan);
  const lesson = lessonsOf(plan);
  const declared = isDeclared(task.env) ? 'environment' : 'default';
  const byTask = {
    ...task,
    ...(lesson && {
      warmStartExamples: lesson.examples,
      warmStartMistakes: lesson.mistakes,
      warmStartLearningRate: lesson.learningRate,
      warmStartBatch: lesson.batch,
    }),
    evaluationFallback: judgmentOf(plan).fallback,
    ...(isModelFolder(task.model) && { loraRank: loraOf(task.loraRank).r }),
  } as Readonly<Record<string, unknown>>;
  const options = Object.keys(runSchema.shape).flatMap((name): Setting[] => {
    const value = byTask[name];
    if (value === undefined || NOT_SHOWN.includes(name) || (!isTaught(plan) && name.startsWith('warmStart'))) return [];
    const given = plan.given?.[name];
    if (given !== undefined) return [{ name, value, origin: typeof given === 'string' ? given : 'flag' }];
    const isOurs = name === 'warmStartLearningRate' && isModelFolder(task.model);
    return [{ name, value, origin: DECLARED.includes(name) && !isOurs ? declared : 'default' }];
  });
  const training = modelTraining(task.model);
  return {
    options,
    fixed: [
      ...settings('warmStart', lesson && { episodes: lesson.episodes }, () => declared),
      ...settings('modelOptimizer', optimizerOf(task.model), (name) =>
        name in (training.optimizer ?? {}) ? 'model' : 'default',
      ),
    ],
  };
}

const settings = (section: string, values: object | undefined, originOf: (name: string) => string): Setting[] =>
  Object.entries(values ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name: `${section}.${name}`, value, origin: originOf(name) }],
  );
