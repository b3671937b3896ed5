/**
 * Sight: how much of an answer depends on its picture, in nats per token: log π(token | picture) − log π(token | changed picture).
 *
 * Near 0 the policy answers without looking. Against a gray picture it says whether a picture matters at all, against the
 * picture of another episode whether its content does. Thought and action are apart: a thought may have read the picture, and
 * the action the thought. An answer is both.
 */
import type { ModelInput } from '../model-input.js';
import type { Policy, Scores, Sequence } from '../policy.js';
import type { StepRecord } from '../rollout/record.js';
import type { MetricsTally } from './metrics.js';

/** As in the rows "gray pictures" of a benchmark. */
const GRAY = 128;

/** A sequence with other pictures, and the row of the sample that it belongs to. */
interface Changed {
  readonly row: number;
  readonly sequence: Sequence;
}

/**
 * Adds `sight/{thought,action,answer}-{gray,swapped}` to the metrics, where steps have pictures: two forwards of the sample.
 *
 * @param sample  Steps of many episodes; a step is compared with a later one that has other pictures of the same sizes.
 * @param now     Scores of the sample under the current weights.
 */
export async function measureSight(
  policy: Pick<Policy, 'score'>,
  sample: readonly StepRecord[],
  now: Pick<Scores, 'logProbs'>,
  temperature: number,
  metrics: MetricsTally,
): Promise<void> {
  for (const [name, changed] of [
    ['gray', changedBy(sample, withGrayPictures)],
    ['swapped', changedBy(sample, (step) => withWrongPictures(step, sample))],
  ] as const) {
    if (changed.length === 0) continue;
    const blind = await policy.score(
      changed.map(({ sequence }) => sequence),
      { temperature, entropies: false },
    );
    for (const [index, { row }] of changed.entries()) {
      const { thoughtMask, actionMask, responseIds } = sample[row]!;
      for (let i = 0; i < responseIds.length; i++) {
        const nats = now.logProbs[row]![i]! - blind.logProbs[index]![i]!;
        if (thoughtMask[i]) metrics.mean(`sight/thought-${name}`, nats);
        if (actionMask[i]) metrics.mean(`sight/action-${name}`, nats);
        if (thoughtMask[i] || actionMask[i]) metrics.mean(`sight/answer-${name}`, nats);
      }
    }
  }
}

function changedBy(
  sample: readonly StepRecord[],
  change: (step: StepRecord) => Sequence | undefined,
): readonly Changed[] {
  return sample.flatMap((step, row) => {
    const sequence = change(step);
    return sequence ? [{ row, sequence }] : [];
  });
}

const withPictures = ({ input, responseIds }: StepRecord, images: ModelInput['images']): Sequence => ({
  input: { ...input, images },
  responseIds,
});

/** The answer of a step to gray pictures of the same sizes; undefined for a step without pictures. */
export function withGrayPictures(step: StepRecord): Sequence | undefined {
  const { images } = step.input;
  if (images.length === 0) return undefined;
  const gray = images.map((image) => ({ ...image, data: image.data.slice().fill(GRAY) }));
  return withPictures(step, gray);
}

/**
 * The answer of a step to the pictures of another episode; undefined if none has others of the same sizes.
 *
 * @param steps  Steps of many episodes; the first that fits behind this one is taken, or else the first.
 */
export function withWrongPictures(step: StepRecord, steps: readonly StepRecord[]): Sequence | undefined {
  const row = steps.indexOf(step);
  const isOther = (candidate: StepRecord) => canSwap(step, candidate);
  const other = steps.find((candidate, i) => i > row && isOther(candidate)) ?? steps.find(isOther);
  return other && withPictures(step, other.input.images);
}

/** Other pictures of another episode, of the same sizes, so that the prompt ids still fit. */
function canSwap(step: StepRecord, other: StepRecord): boolean {
  const [a, b] = [step.input.images, other.input.images];
  return (
    step.episodeId !== other.episodeId &&
    a.length > 0 &&
    a.length === b.length &&
    a.every((image, i) => image.height === b[i]!.height && image.width === b[i]!.width) &&
    a.some((image, i) => !Buffer.from(image.data).equals(b[i]!.data))
  );
}
