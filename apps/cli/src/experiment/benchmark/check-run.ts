/** Finds what is wrong with a run before minutes are spent on its warm start. */
import { GymError } from '@vlgym/core';
import { UsageError } from '../../command-line/usage-error.js';
import { runControl } from '../controls/index.js';
import { environment } from '../evaluation/evaluate-policy.js';
import { checkPhases } from '../phases.js';
import { RecordUnsupportedError } from '../record/training-record.js';
import { algorithmOf } from '../run-options.js';
import { completeTask } from '../settings/settings.js';
import type { RunSpec } from '../spec.js';
import { splitsOf } from '../task-separation/splits.js';

/** @throws {GymError} The algorithm, one of its choices, the environment or one of its options does not exist. */
export async function checkRun(spec: Omit<RunSpec, 'resume'>): Promise<void> {
  const processes = Number(process.env.WORLD_SIZE ?? spec.procs);
  if (spec.record !== undefined && processes > 1) throw new RecordUnsupportedError(processes);
  if (spec.nccl && !spec.device?.startsWith('cuda')) {
    throw new UsageError('--nccl needs --device cuda: gradients on a CPU are added up in its memory.', {
      value: spec.device ?? 'cpu',
      expected: '--device cuda',
      hint: 'leave --nccl out on a CPU',
    });
  }
  const plays = spec.control === undefined || runControl(spec.control).kind === 'algorithm';
  if (plays) algorithmOf(spec);
  const task = completeTask(spec);
  await checkPhases(spec, processes);
  const { stepsPerUpdate, numEnvs } = task;
  if (stepsPerUpdate % numEnvs !== 0) {
    throw new GymError(`The option \`stepsPerUpdate\` cannot be ${stepsPerUpdate}.`, {
      code: 'INVALID_OPTION',
      value: stepsPerUpdate,
      expected: `a multiple of numEnvs = ${numEnvs}`,
    });
  }
  const { train } = splitsOf(task);
  const env = await environment(task, train)();
  await env.close();
}
