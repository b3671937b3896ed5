/**
 * GTR: a corrector rewrites wrong thoughts while the agent plays, and the agent imitates them next to RL4VLM's PPO.
 *
 *     L = L_PPO − c·mean over thought tokens of log π_θ(thought_corrected | o), drawn from all steps ever corrected (DAgger)
 *
 * The corrector judges every well-formed answer: a correct thought gives no label, a wrong one is replaced, with the agent's
 * own action put back and not trained. It is any model of the AI SDK (`modelCorrector`) or, by default, the environment's
 * expert as a stand-in. Retries are bounded and a corrector that fails gives no label, where the published code asks
 * forever. The label of a step is a mean over tokens, as in the code; the paper writes a sum. The published end of an
 * episode without a solution is left to the environment. Source: "GTR: Guided Thought Reinforcement Prevents Thought
 * Collapse in RL-based VLM Agent Training", arXiv 2503.08525; `docs/specs/algorithms.md` 4. The policy loss is RL4VLM's.
 */
import { join } from 'node:path';
import { rl4vlmActor } from '@vlgym/baselines';
import { type AlgorithmState, CheckpointDamagedError, defineAlgorithm, type RolloutBuffer, type Run } from '@vlgym/rl';
import { estimateTargets } from '@vlgym/rl/advantages';
import { regularize, valueLoss } from '@vlgym/rl/losses';
import { type RunningTurn, rescore } from '@vlgym/rl/rollout';
import { optimize } from '@vlgym/rl/update';
import { type Corrector, correctorNamed, type Verdict } from './guidance/corrector.js';
import { DaggerSet, daggerState } from './guidance/dagger-set.js';
import { imitation } from './guidance/imitation.js';
import { thoughtWithOwnAction } from './guidance/own-action.js';
import { type CorrectorConfig, correctorOptions } from './options.js';
import { GTR_PUBLISHED, GTR_RECOMMENDED } from './presets.js';

class GtrState implements AlgorithmState {
  readonly dagger = new DaggerSet();

  constructor(readonly correct: Corrector) {}

  async save(folder: string): Promise<unknown> {
    return { dagger: await this.dagger.save(join(folder, 'dagger.bin')) };
  }

  async load(folder: string, saved: unknown): Promise<void> {
    const state = daggerState.safeParse((saved as { dagger?: unknown } | null)?.dagger);
    if (!state.success) throw new CheckpointDamagedError(folder, 'the set of corrections is unreadable', state.error);
    await this.dagger.load(join(folder, 'dagger.bin'), state.data);
  }

  dispose(): void {
    this.dagger.dispose();
  }
}

/** GTR with a corrector of yours in place of the one that `guidance.corrector` names. */
export const gtrWith = (corrector?: Corrector) =>
  defineAlgorithm({
    name: 'gtr',
    title: 'GTR',
    source: 'arXiv 2503.08525',
    options: correctorOptions,
    recommended: GTR_RECOMMENDED,
    published: GTR_PUBLISHED,
    open: ({ config: { guidance } }) => new GtrState(corrector ?? correctorNamed(guidance.corrector, guidance)),

    async update(run) {
      const { config, collector, metrics } = run;
      const { loss, regularizer, value } = config;
      const onTurn = (turns: readonly RunningTurn[]) => metrics.timed('corrector', () => judge(run, turns));
      const buffer = await collector.collectSteps({ ...run, hooks: { onTurn } });
      await metrics.timed('score', () => rescore(run, buffer));
      keepLabels(run, buffer);
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
        imitation(run),
      );
      return buffer;
    },
  });

export const gtr = gtrWith();

/** The verdict on each turn as its note; none for an answer without the asked-for format. */
async function judge({ state, signal }: Run<CorrectorConfig, GtrState>, turns: readonly RunningTurn[]) {
  return Promise.all(
    turns.map(async (turn) => {
      const { decision, response } = turn;
      const isWhole = decision.parsed!.formatValid && !decision.fallback && response.finishReason === 'stop';
      return isWhole ? { note: await state.correct(turn, signal) } : undefined;
    }),
  );
}

/** Adds the corrected thoughts of a buffer to the set. */
function keepLabels(
  { policy, collector, state, metrics }: Run<CorrectorConfig, GtrState>,
  { steps }: RolloutBuffer,
): void {
  const parse = collector.dialogue.parse.bind(collector.dialogue);
  const verdicts = steps.map(({ note }) => note as Verdict | undefined);
  for (const [index, verdict] of verdicts.entries()) {
    if (verdict?.verdict !== 'wrong') continue;
    const label = thoughtWithOwnAction(policy, steps[index]!, verdict.correction, parse);
    if (label) state.dagger.add(label);
  }
  const share = (kind: Verdict['verdict']) =>
    verdicts.filter((each) => each?.verdict === kind).length / Math.max(1, steps.length);
  metrics.setAll({
    'corrector/correct-share': share('correct'),
    'corrector/wrong-share': share('wrong'),
    'corrector/failed-share': share('failed'),
    'corrector/dagger-size': state.dagger.size,
  });
}
