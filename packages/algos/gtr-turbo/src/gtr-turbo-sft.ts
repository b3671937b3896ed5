/**
 * GTR-Turbo (SFT): the merge of earlier checkpoints answers the agent's prompts, and its thoughts are imitated.
 *
 *     L = L_PPO − E[log π_θ(thought_merged | o)]  over the union of all corrected steps (DAgger)
 *
 * Source: "GTR-Turbo: Merged Checkpoint is Secretly a Free Teacher for Agentic VLM Training"; `docs/specs/algorithms.md` 5
 * and 7. The policy loss is RL4VLM's, the critic VL-DAC's.
 */
import { rl4vlmActor } from '@vlgym/baselines';
import { defineAlgorithm } from '@vlgym/rl';
import { estimateTargets } from '@vlgym/rl/advantages';
import { regularize, valueLoss } from '@vlgym/rl/losses';
import { rescore } from '@vlgym/rl/rollout';
import { optimize } from '@vlgym/rl/update';
import { imitation } from './guidance/imitation.js';
import { labelByTeacher } from './guidance/teacher-sft.js';
import { sftOptions } from './options.js';
import { PUBLISHED, RECOMMENDED } from './presets.js';
import { teacherCharts } from './reporting.js';
import { endUpdate, Teacher, updateTeacher } from './teacher.js';

export const gtrTurboSft = defineAlgorithm({
  name: 'gtr-turbo-sft',
  title: 'GTR-Turbo (SFT)',
  source: 'RernaG/GTR-Turbo',
  options: sftOptions,
  recommended: RECOMMENDED,
  published: PUBLISHED,
  charts: teacherCharts,
  open: ({ policy, config }) => new Teacher(policy, config.merge.capacity),

  async update(run) {
    const { config, collector, state, metrics } = run;
    const { loss, merge, regularizer, value } = config;
    await updateTeacher(run);

    const buffer = await collector.collectSteps(run);
    await metrics.timed('score', () => rescore(run, buffer));
    await metrics.timed('teacher', () => labelByTeacher(run, buffer));
    const targets = estimateTargets(buffer, config, metrics);

    await optimize(
      run,
      buffer,
      targets,
      {
        actor: (outputs, batch) => rl4vlmActor(outputs, batch, loss),
        critic: ({ values }, batch) => valueLoss(values, batch, value.clip),
        regularizer: (outputs, batch) => regularize(outputs, batch, regularizer),
      },
      {
        ...imitation(run),
        ...(merge.every === 'epoch' && { afterEpoch: () => state.checkpoints.append() }),
      },
    );
    await endUpdate(run);
    return buffer;
  },
});
