/**
 * Early experience: before there are rewards to learn from, the agent learns what its own actions lead to, then the expert's
 * actions.
 *
 *     first updates:  L = −mean over tokens of log π_θ(text of o_{t+1} | o_t, own answer)                  implicit world model
 *     later ones:     L = −mean over tokens of log π_θ(expert's answer | o_t)                               imitation
 *
 * Episodes begin after a random number of the expert's turns and are played by the agent from there, so its actions are
 * tried where the expert goes; no reward is used. What comes next is the text of the next prompt's last message, so an
 * environment that shows pictures alone teaches nothing in the first updates. The published self-reflection, in which the
 * model explains why the expert's action is better, is left out. Source: "Agent Learning via Early Experience", arXiv
 * 2510.08558. The default values were not compared with the paper's.
 */
import { type ChatMessage, Generator, messageText } from '@vlgym/core';
import { defineAlgorithm, type ModelInput, type Policy, type RolloutBuffer, type Run } from '@vlgym/rl';
import { type CommonConfig, commonOptions, optionGroup } from '@vlgym/rl/config';
import { expertAnswer, type RunningTurn, rescore } from '@vlgym/rl/rollout';
import { cosine, type LabeledSequence, supervise } from '@vlgym/rl/update';
import { z } from 'zod';
import { labelLossOptions } from './likelihood-options.js';

const QUESTION = 'What will you be shown next?';

const { rollout, reward, correction, optimizer } = commonOptions;

const options = z.strictObject({
  // without a policy loss steps cannot be left out of one
  rollout: rollout.unwrap().omit({ fallbackLoss: true }).prefault({}),
  reward,
  correction,
  optimizer,
  world: optionGroup({
    updates: z.number().int().nonnegative().default(10).describe('first updates, which learn what actions lead to'),
    question: z.string().min(1).default(QUESTION).describe('what the agent is asked for after its answer'),
    maxTokens: z.number().int().positive().default(256).describe('tokens of what comes next that are learned at most'),
  }),
  loss: labelLossOptions,
});

type EarlyRun = Run<z.output<typeof options> & CommonConfig>;

/** Facts of a turn before its action is executed. */
interface Note {
  /** The prompt with the agent's answer, and the question what comes next. */
  readonly ask: ModelInput;
  /** The text that the turn was shown. */
  readonly shown: string;
  readonly expert: string | undefined;
}

export const earlyExperience = defineAlgorithm({
  name: 'early-experience',
  title: 'Early experience',
  source: 'arXiv 2510.08558',
  options,
  recommended: {
    optimizer: { epochs: 1, batch: 128, learningRate: { initial: 1e-5, final: 1e-6, period: 100 } },
  },

  async update(run) {
    const { config, collector, metrics, updateIndex } = run;
    const opening = (expertTurns: number, seed: number) => new Generator(seed).integers(0, expertTurns);
    const onTurn = (turns: readonly RunningTurn[]) => turns.map((turn) => ({ note: noteOf(run, turn) }));
    const buffer = await collector.collectEpisodes({ ...run, groupSize: 1, hooks: { opening, onTurn } });
    await metrics.timed('score', () => rescore(run, buffer));
    const isWorld = updateIndex < config.world.updates;
    const labels = isWorld ? worldLabels(run, buffer) : expertLabels(run.policy, buffer);
    metrics.setAll({ 'early/is-world': isWorld ? 1 : 0, 'early/labels': labels.length });
    await metrics.timed('optimize', () => imitate(run, labels));
    return buffer;
  },
});

function noteOf({ policy, config }: EarlyRun, { episode, prompt, response }: RunningTurn): Note {
  const asked: ChatMessage[] = [
    ...prompt,
    { role: 'assistant', content: response.text },
    { role: 'user', content: config.world.question },
  ];
  return {
    ask: policy.encode(asked),
    shown: messageText(prompt.at(-1)!),
    expert: expertAnswer(episode)?.text,
  };
}

/** One label per turn that another follows. */
function worldLabels({ policy, config }: EarlyRun, { steps, trajectories }: RolloutBuffer): LabeledSequence[] {
  return trajectories.flatMap((rows) =>
    rows.slice(0, -1).flatMap((row, index) => {
      const next = (steps[rows[index + 1]!]!.note as Note).shown;
      if (next === '') return [];
      const ids = policy.encodeResponse(next).ids.slice(0, config.world.maxTokens);
      return [
        { input: (steps[row]!.note as Note).ask, responseIds: ids, labelMask: new Uint8Array(ids.length).fill(1) },
      ];
    }),
  );
}

function expertLabels(policy: Policy, { steps }: RolloutBuffer): LabeledSequence[] {
  return steps.flatMap(({ input, note }) => {
    const { expert } = note as Note;
    if (expert === undefined) return [];
    const { ids } = policy.encodeResponse(expert);
    return [{ input, responseIds: ids, labelMask: new Uint8Array(ids.length).fill(1) }];
  });
}

async function imitate(run: EarlyRun, labels: readonly LabeledSequence[]): Promise<void> {
  const { policy, config, rng, metrics, updateIndex } = run;
  const { epochs, batch, microBatch, microBatchTokens, maxGradNorm } = config.optimizer;
  const learningRate = cosine(updateIndex, config.optimizer.learningRate);
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = rng.permutation(labels.length);
    for (let start = 0; start < order.length; start += batch) {
      const drawn = order.slice(start, start + batch).map((index) => labels[index]!);
      await supervise(run, drawn, {
        coefficient: 1,
        microBatch,
        microBatchTokens,
        temperature: config.loss.temperature,
      });
      const { gradNorm } = await policy.step({ learningRate, maxGradNorm });
      metrics.mean('optimizer/grad-norm', gradNorm);
    }
  }
  metrics.set('optimizer/learning-rate', learningRate);
}
