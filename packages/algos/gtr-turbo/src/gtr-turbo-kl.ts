/**
 * GTR-Turbo (KL): the merge of earlier checkpoints teaches by its KL on the thoughts.
 *
 *     A_t ← A_t − β · KL(π_θ ‖ π_merged) over the thought tokens of step t                      (equation 6)
 *
 * Source: "GTR-Turbo: Merged Checkpoint is Secretly a Free Teacher for Agentic VLM Training"; `docs/specs/algorithms.md` 5
 * to 7. The policy loss is RL4VLM's, the critic VL-DAC's.
 */
import { rl4vlmActor } from '@vlgym/baselines';
import { defineAlgorithm } from '@vlgym/rl';
import { estimateTargets, rawAdvantages } from '@vlgym/rl/advantages';
import { regularize, valueLoss } from '@vlgym/rl/losses';
import { rescore } from '@vlgym/rl/rollout';
import { optimize } from '@vlgym/rl/update';
import { teacherPenalty } from './guidance/penalty.js';
import { teacherDivergence, teacherKl } from './guidance/teacher-kl.js';
import { klOptions } from './options.js';
import { PUBLISHED, RECOMMENDED } from './presets.js';
import { klCharts, klControls } from './reporting.js';
import { endUpdate, Teacher, updateTeacher } from './teacher.js';

export const gtrTurboKl = defineAlgorithm({
  name: 'gtr-turbo-kl',
  title: 'GTR-Turbo (KL)',
  source: 'RernaG/GTR-Turbo',
  options: klOptions,
  recommended: RECOMMENDED,
  published: {
    ...PUBLISHED,
    guidance: { klEstimator: 'clipped', klEntry: 'return-shift', klUnparsable: 100 },
  },
  controls: klControls,
  charts: klCharts,
  open: ({ policy, config }) => new Teacher(policy, config.merge.capacity),

  async update(run) {
    const { config, collector, state, metrics } = run;
    const { guidance, loss, merge, regularizer, value } = config;
    await updateTeacher(run);

    const buffer = await collector.collectSteps(run);
    const divergence = teacherDivergence(guidance);
    const divergences = await metrics.timed('score', () => rescore(run, buffer, { divergence }));

    const kl = teacherKl(buffer, divergences!, guidance, metrics);
    const penalty = teacherPenalty(kl, rawAdvantages(buffer, config), guidance, run);
    const targets = estimateTargets(buffer, config, metrics, [{ amount: penalty, entry: guidance.klEntry }]);

    await optimize(
      run,
      buffer,
      targets,
      {
        actor: (outputs, batch) => rl4vlmActor(outputs, batch, loss),
        critic: ({ values }, batch) => valueLoss(values, batch, value.clip),
        regularizer: (outputs, batch) => regularize(outputs, batch, regularizer),
      },
      merge.every === 'epoch' ? { afterEpoch: () => state.checkpoints.append() } : {},
    );
    await endUpdate(run);
    return buffer;
  },
});
