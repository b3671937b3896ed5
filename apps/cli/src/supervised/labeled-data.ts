/** The files of a supervised run as labeled sequences, one part to learn from and one to measure. */
import { createHash } from 'node:crypto';
import { type ChatMessage, Generator, GymError, type Image } from '@vlgym/core';
import { hashImage } from '@vlgym/core/images';
import { type ChatExample, readExamples } from '@vlgym/datasets';
import type { Policy } from '@vlgym/rl';
import type { LabeledSequence } from '@vlgym/rl/update';
import { recordingsIn } from '../folders/recordings.js';
import type { SftOptions } from './options.js';

export interface LabeledData {
  readonly train: readonly LabeledSequence[];
  readonly measured: readonly LabeledSequence[];
  /** SHA-256 over all prompts and responses in order. */
  readonly digest: string;
  /** Some are of recorded episodes. */
  readonly isRecorded: boolean;
  /** Rows that were left out. */
  readonly skipped: number;
}

/** Nothing is left to learn from. */
class EmptyDatasetError extends GymError {
  constructor(files: readonly string[], hint: string) {
    super(`No example to learn from in ${files.join(', ')}.`, { code: 'EMPTY_DATASET', value: files, hint });
  }
}

type Choice = Pick<SftOptions, 'data' | 'episodes' | 'minReturn' | 'skipInvalid' | 'evalShare' | 'seed'>;

/** @throws {DatasetRowError | DatasetFileError | EmptyDatasetError} Also with a prompt that the model cannot read. */
export async function labeledData(
  choice: Choice,
  policy: Policy,
  onProblem: (message: string) => void,
): Promise<LabeledData> {
  const { data, episodes, minReturn, skipInvalid, evalShare, seed } = choice;
  const groups = new Map<string, LabeledSequence[]>();
  const pictures = new SharedPictures();
  const hash = createHash('sha256');
  let skipped = 0;
  let isRecorded = false;
  const skip = ({ message }: Error) => {
    skipped += 1;
    onProblem(message);
  };
  const paths = (await Promise.all(data.map(recordingsIn))).flat();
  for (const path of paths) {
    const onInvalid = skipInvalid ? 'skip' : 'throw';
    for await (const example of readExamples(path, { episodes, minReturn, onInvalid, onProblem: skip })) {
      isRecorded ||= example.origin !== undefined;
      const sequence = sequenceOf(example, policy, pictures, hash);
      if (sequence instanceof Error) {
        if (!skipInvalid) throw sequence;
        skip(sequence);
        continue;
      }
      const group = groups.get(example.group) ?? [];
      group.push(sequence);
      groups.set(example.group, group);
    }
  }
  const all = [...groups.values()];
  const order = new Generator(seed).permutation(all.length);
  const held = Math.min(Math.round(evalShare * all.length), all.length - 1);
  const parts = { measured: order.slice(0, Math.max(held, 0)), train: order.slice(Math.max(held, 0)) };
  // in the order of the files, regardless of the draw
  const pick = (places: readonly number[]) => places.toSorted((a, b) => a - b).flatMap((place) => all[place]!);
  const train = pick(parts.train);
  if (train.length === 0) {
    throw new EmptyDatasetError(
      data,
      episodes === 'success'
        ? 'only successful episodes of recordings are used, unless you pass --episodes all'
        : minReturn === undefined
          ? 'check the files'
          : `no episode has a return of ${minReturn} or more`,
    );
  }
  return { train, measured: pick(parts.measured), digest: hash.digest('hex'), isRecorded, skipped };
}

/** A prompt is too long for the model, or cannot be written for it. */
class ExampleUnusableError extends GymError {
  constructor(source: string, cause: Error) {
    super(`${source}: ${cause.message}`, {
      code: 'EXAMPLE_UNUSABLE',
      value: source,
      expected: 'a prompt that the model can read',
      hint: 'leave such examples out with --skip-invalid',
      cause,
    });
  }
}

function sequenceOf(
  { prompt, response, source }: ChatExample,
  policy: Policy,
  pictures: SharedPictures,
  hash: { update(text: string): unknown },
): LabeledSequence | ExampleUnusableError {
  try {
    const input = policy.encode(prompt.map((message) => pictures.shared(message)));
    const { ids } = policy.encodeResponse(response);
    hash.update(JSON.stringify([prompt.map((message) => pictures.named(message)), response]));
    return { input, responseIds: ids, labelMask: new Uint8Array(ids.length).fill(1) };
  } catch (error) {
    if (error instanceof GymError) return new ExampleUnusableError(source, error);
    throw error;
  }
}

/** A picture that many examples show is kept once. */
class SharedPictures {
  readonly #images = new Map<string, Image>();

  shared(message: ChatMessage): ChatMessage {
    const { role, content } = message;
    if (typeof content === 'string') return message;
    return { role, content: content.map((part) => (part.type === 'text' ? part : this.#once(part.image))) };
  }

  named({ role, content }: ChatMessage): unknown {
    if (typeof content === 'string') return [role, content];
    return [role, content.map((part) => (part.type === 'text' ? part.text : hashImage(part.image)))];
  }

  #once(image: Image) {
    const hash = hashImage(image);
    const kept = this.#images.get(hash) ?? image;
    this.#images.set(hash, kept);
    return { type: 'image' as const, image: kept };
  }
}
