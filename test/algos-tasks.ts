/**
 * Two tasks spoken as tokens, small enough that a transformer of one layer learns them on a CPU in seconds.
 *
 * Every response means an action: the code of its last character, modulo the number of actions; what precedes that
 * character is the thought. So a model with fresh weights acts from the first step, and only choosing well is left to learn.
 */
import {
  BaseEnv,
  type ChatMessage,
  type Dialogue,
  type EnvSnapshot,
  Generator,
  type ParsedResponse,
  type PromptContext,
  type ResetOptions,
  type RgbImage,
  spaces,
} from '@vlgym/core';
import { setNumThreads } from '@vlgym/gpu';
import { type CreatePolicyOptions, createPolicy } from '@vlgym/models';
import { MetricsTally, type WarmStartPolicy } from '@vlgym/rl';
import { supervise } from '@vlgym/rl/update';

/** Never merged by the tiny tokenizer. */
const LETTERS = [...'ABCDEFGH'];

/** Reads any text of two characters or more. */
function parseLastCharacter(text: string, actions: number): ParsedResponse<number> {
  const start = text.length - 1;
  if (start < 1) {
    const spans = { action: [0, text.length] as const };
    return { thought: '', actionText: text, legal: false, formatValid: false, spans, reason: 'no-action-marker' };
  }
  return {
    thought: text.slice(0, start),
    action: text.charCodeAt(start) % actions,
    actionText: text.slice(start),
    legal: true,
    formatValid: true,
    spans: { thought: [0, start], action: [start, text.length] },
  };
}

class SpokenDialogue implements Dialogue<number, number> {
  readonly version: string;
  constructor(
    name: string,
    readonly actions: number,
    readonly picture?: (observation: number) => RgbImage,
  ) {
    this.version = `${name}/last-character-v1`;
  }

  prompt({ observation }: PromptContext<number, number>): ChatMessage[] {
    const text = Array(4).fill(LETTERS[observation]).join(' ');
    if (!this.picture) return [{ role: 'user', content: text }];
    const image = this.picture(observation);
    return [
      {
        role: 'user',
        content: [
          { type: 'image', image },
          { type: 'text', text },
        ],
      },
    ];
  }

  parse(text: string): ParsedResponse<number> {
    return parseLastCharacter(text, this.actions);
  }

  /** A thought of one letter and a letter that means the action. */
  demonstrate(_context: PromptContext<number, number>, action: number): string {
    return `x${LETTERS.find((letter) => letter.charCodeAt(0) % this.actions === action)}`;
  }
}

abstract class TaskEnv extends BaseEnv<number, number> {
  abstract readonly kind: string;
  protected state = 0;
  protected steps = 0;

  snapshot(): EnvSnapshot {
    return { kind: this.kind, state: { state: this.state, steps: this.steps, rng: this.rng.getState() } };
  }

  restore(snapshot: EnvSnapshot): void {
    const { state, steps, rng } = snapshot.state as { state: number; steps: number; rng: never };
    this.state = state;
    this.steps = steps;
    this.rng.setState(rng);
  }
}

/** Four contexts, four actions; action = context pays 1, the others nothing. One step per episode. */
export class BanditEnv extends TaskEnv {
  readonly kind = 'bandit/1';
  readonly observationSpace = spaces.discrete(4);
  readonly actionSpace = spaces.discrete(4);
  readonly dialogue: Dialogue<number, number>;

  /** @param picture Shows the context as a picture too. */
  constructor({ picture }: { picture?: (observation: number) => RgbImage } = {}) {
    super();
    this.dialogue = new SpokenDialogue('bandit', 4, picture);
  }

  reset({ seed }: ResetOptions = {}) {
    if (seed !== undefined) this.reseed(seed);
    this.state = this.rng.integers(0, 4);
    return { observation: this.state, info: {} };
  }

  step(action: number) {
    const reward = action === this.state ? 1 : 0;
    return { observation: this.state, reward, terminated: true, truncated: false, info: { success: reward === 1 } };
  }

  oracle(): number {
    return this.state;
  }
}

/** Five cells; from the first to the last, which alone pays, within 20 steps. Action 1 goes right. */
export class CorridorEnv extends TaskEnv {
  readonly kind = 'corridor/1';
  readonly observationSpace = spaces.discrete(5);
  readonly actionSpace = spaces.discrete(2);
  readonly dialogue: Dialogue<number, number>;

  constructor({ picture }: { picture?: (observation: number) => RgbImage } = {}) {
    super();
    this.dialogue = new SpokenDialogue('corridor', 2, picture);
  }

  reset({ seed }: ResetOptions = {}) {
    if (seed !== undefined) this.reseed(seed);
    this.state = 0;
    this.steps = 0;
    return { observation: this.state, info: {} };
  }

  step(action: number) {
    this.state = Math.max(0, this.state + (action === 1 ? 1 : -1));
    this.steps += 1;
    const terminated = this.state === 4;
    const truncated = !terminated && this.steps === 20;
    return {
      observation: this.state,
      reward: terminated ? 1 : 0,
      terminated,
      truncated,
      info: { success: terminated },
    };
  }

  oracle(): number {
    return 1;
  }
}

/** A picture of one color per observation. */
export function colorPicture(observation: number): RgbImage {
  const data = new Uint8Array(28 * 56 * 3).map((_, i) => (i % 3 === observation % 3 ? 40 + 30 * observation : 200));
  return { data, height: 28, width: 56, channels: 3 };
}

// a second thread has nothing to do here but wait for the first
setNumThreads(1);

/** One layer of width 32 over the tiny vocabulary: about 50 thousand weights. */
export function smallPolicy(
  options: Pick<
    CreatePolicyOptions,
    | 'seed'
    | 'train'
    | 'dtype'
    | 'batchTokens'
    | 'group'
    | 'samplerDtype'
    | 'autocast'
    | 'denseVocabulary'
    | 'promptCacheBytes'
  > = {},
) {
  return createPolicy({
    config: {
      vocabSize: 1024,
      hiddenSize: 32,
      numHiddenLayers: 1,
      numAttentionHeads: 2,
      numKeyValueHeads: 1,
      headDim: 16,
      intermediateSize: 64,
      rmsNormEps: 1e-6,
      ropeTheta: 10_000,
      attentionBias: true,
      tieWordEmbeddings: true,
      initializerRange: 0.1,
      valueHead: [32],
      vision: {
        depth: 1,
        hiddenSize: 32,
        numHeads: 2,
        intermediateSize: 32,
        patchSize: 14,
        spatialMergeSize: 2,
        temporalPatchSize: 1,
        numPositionEmbeddings: 16,
      },
      image: { minPixels: 784, maxPixels: 1568, mean: [0.5, 0.5, 0.5], std: [0.5, 0.5, 0.5] },
    },
    name: 'small',
    ...options,
  });
}

export interface WarmStartPlan {
  readonly env: BanditEnv | CorridorEnv;
  readonly contexts: number;
  readonly actions: number;
  /** The action that is right in a context. */
  readonly right: (context: number) => number;
  /** Share of answers that are right on purpose; the others are random. */
  readonly hint: number;
  readonly steps: number;
}

/** Teaches a fresh policy to answer with two letters, the last of which means an action, and makes that its θ_0. */
export async function teachLetters(policy: WarmStartPolicy, lesson: WarmStartPlan): Promise<void> {
  const { env, contexts, actions, right, hint, steps } = lesson;
  const rng = new Generator(0);
  const anyOf = (letters: readonly string[]) => letters[rng.integers(0, letters.length)]!;
  for (let step = 0; step < steps; step++) {
    const samples = Array.from({ length: 64 }, () => {
      const context = rng.integers(0, contexts);
      const good = LETTERS.filter((letter) => letter.charCodeAt(0) % actions === right(context));
      const { ids } = policy.encodeResponse(anyOf(LETTERS) + anyOf(rng.random() < hint ? good : LETTERS));
      const input = policy.encode(env.dialogue.prompt({ observation: context, info: {}, history: [] }));
      return { input, responseIds: ids, labelMask: new Uint8Array(ids.length).fill(1) };
    });
    const run = { policy, metrics: new MetricsTally(), signal: undefined };
    await supervise(run, samples, { coefficient: 1, microBatch: 64 });
    await policy.step({ learningRate: 1e-2, maxGradNorm: 1 });
  }
  policy.foldIntoReference();
}
