/** The evaluations of one run: the first is known from the warm start, and the last keeps its episodes for the report. */
import type { Evaluation, Scores } from '@vlgym/agents';
import type { TaskOutcome } from '@vlgym/agents/statistics';
import type { EvaluationSettings, Policy } from '@vlgym/rl';
import { pictureControls } from '../controls/index.js';
import { startPictures } from '../controls/replaced-pictures.js';
import type { CompleteTask } from '../settings/settings.js';
import { SeenTasks, tasksOf } from '../task-separation/seen-tasks.js';
import { splitsOf } from '../task-separation/splits.js';
import { episodesOf, scoresOfStart } from '../warm-start/warm-start.js';
import {
  environment,
  evaluateOnFixedSeeds,
  evaluateOnSeenTasks,
  evaluatePolicy,
  evaluationSeeds,
  outcomesOf,
} from './evaluate-policy.js';

/** Seeds of episodes whose pictures replace those of an evaluation. */
const POOL_SEEDS = Array.from({ length: 16 }, (_, seed) => seed);

export class RunEvaluations {
  readonly #task: CompleteTask;
  readonly #policy: Policy;
  readonly #settings: EvaluationSettings;
  readonly #start: string;
  readonly #folder: string;
  #last: Evaluation | undefined;

  constructor(
    task: CompleteTask,
    policy: Policy,
    { settings, start, folder }: { settings: EvaluationSettings; start: string; folder: string },
  ) {
    this.#task = task;
    this.#policy = policy;
    this.#settings = settings;
    this.#start = start;
    this.#folder = folder;
  }

  async after(update: number, signal: AbortSignal): Promise<Scores> {
    const known = update === 0 ? await scoresOfStart(this.#task, this.#start, this.#settings) : undefined;
    if (known) return known;
    if (update === this.#task.updates) return this.final(signal);
    return evaluateOnFixedSeeds(this.#task, this.#policy, { settings: this.#settings, signal });
  }

  /** After the last update; played again if the run was interrupted before its result was written. */
  async final(signal: AbortSignal): Promise<Evaluation> {
    this.#last ??= await evaluateOnFixedSeeds(this.#task, this.#policy, {
      settings: this.#settings,
      record: episodesOf(this.#folder),
      signal,
    });
    return this.#last;
  }

  /** On tasks of the warm start, where they are known. */
  async seen(signal: AbortSignal): Promise<TaskOutcome[] | undefined> {
    const seen = await SeenTasks.read(tasksOf(this.#start));
    return evaluateOnSeenTasks(this.#task, this.#policy, seen.list(), { settings: this.#settings, signal });
  }

  /** The first half of the evaluation seeds again, with gray and with wrong pictures; nothing for prompts without any. */
  async pictures(signal: AbortSignal): Promise<Record<string, TaskOutcome[]>> {
    const { test } = splitsOf(this.#task);
    const seeds = evaluationSeeds(this.#task).slice(0, Math.ceil(this.#task.evaluationEpisodes / 2));
    const makeEnv = environment(this.#task, test);
    // from all tasks: a small test side may hold a single task
    const pool = await startPictures(environment(this.#task), POOL_SEEDS);
    const results: Record<string, TaskOutcome[]> = {};
    if (pool.every(({ images }) => images.length === 0)) return results;
    for (const { name, wrap } of pictureControls) {
      const env = async () => wrap(await makeEnv(), pool);
      const { episodes } = await evaluatePolicy(this.#policy, { settings: this.#settings, env, seeds, signal });
      results[name] = outcomesOf(episodes);
    }
    return results;
  }
}
