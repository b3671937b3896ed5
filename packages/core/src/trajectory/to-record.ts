/** The parts of an episode as records: pictures go to the store and are replaced by their names, everything else becomes JSON. */
import type { ChatMessage } from '../dialogue/dialogue.js';
import { tokenSpans } from '../dialogue/token-spans.js';
import type { AnyEnv } from '../env.js';
import type { Image } from '../image.js';
import { isImage } from '../images/is-image.js';
import { digestObservation } from './digest.js';
import type { RecordedToolCall, RecordedTurn } from './episode.js';
import type { ImageStore } from './images.js';
import type { JsonValue, ObservationRecord, StoredMessage, StoredPart, StoredToolCall, TokenRecord } from './schema.js';
import { toJson } from './to-json.js';

/** Maximum length of an observation's JSON text that is stored besides its digest. */
const MAX_VALUE_LENGTH = 16_384;

/** Masks are computed from the parsed spans and the token ends. */
export function tokenRecord({ completion, parsed }: RecordedTurn): TokenRecord | undefined {
  if (completion === undefined) return undefined;
  const { promptTokenIds, tokenIds, logProbs, behaviorLogProbs, tokenEnds, finishReason, versions } = completion;
  const spans = parsed && tokenSpans(parsed, tokenEnds);
  return {
    promptIds: Array.from(promptTokenIds),
    ids: Array.from(tokenIds),
    ...(logProbs && { logProbs: Array.from(logProbs) }),
    behaviorLogProbs: Array.from(behaviorLogProbs),
    tokenEnds: Array.from(tokenEnds),
    finishReason,
    ...(versions && { versions: versions.map((span) => ({ ...span })) }),
    ...(spans && { thoughtMask: bits(spans.thought), actionMask: bits(spans.action) }),
  };
}

function bits(mask: Uint8Array): (0 | 1)[] {
  return Array.from(mask, (bit) => (bit ? 1 : 0));
}

export function rewardPartsOf(info: JsonValue | undefined): unknown {
  const parts = (info as { rewardParts?: unknown } | undefined)?.rewardParts;
  const isParts = typeof parts === 'object' && parts !== null && Object.values(parts).every(Number.isFinite);
  return isParts ? parts : undefined;
}

export async function storeMessages(messages: readonly ChatMessage[], images: ImageStore): Promise<StoredMessage[]> {
  return Promise.all(
    messages.map(async ({ role, content }) => {
      if (typeof content === 'string') return { role, content };
      const parts = content.map(async (part): Promise<StoredPart> => {
        return part.type === 'text' ? part : { type: 'image', image: await images.save(part.image) };
      });
      return { role, content: await Promise.all(parts) };
    }),
  );
}

/** Arguments and outputs become JSON, pictures in them go to the store. */
export function storeToolCalls(calls: readonly RecordedToolCall[], images: ImageStore): Promise<StoredToolCall[]> {
  return Promise.all(
    calls.map(async ({ id, name, input, output, error }) => ({
      ...(id === undefined ? {} : { id }),
      name,
      input: await plain(input, images),
      ...(output === undefined ? {} : { output: await plain(output, images) }),
      ...(error === undefined ? {} : { error }),
    })),
  );
}

export async function observationRecord(
  env: AnyEnv,
  observation: unknown,
  images: ImageStore,
): Promise<ObservationRecord> {
  const digest = digestObservation(observation);
  if (isImage(observation)) return { digest, images: [await images.save(observation)] };
  const pictures = picturesIn(observation);
  if (pictures.length > 0) {
    return { digest, images: await Promise.all(pictures.map((picture) => images.save(picture))) };
  }
  const value = encoded(env.observationSpace, observation);
  return JSON.stringify(value).length > MAX_VALUE_LENGTH ? { digest } : { digest, value };
}

/** The encoding of the space; values that the space refuses are stored as plain JSON. */
export function encoded(space: { encode(value: unknown): unknown }, value: unknown): JsonValue {
  let json = value;
  try {
    json = space.encode(value);
  } catch {
    // a recording must also show observations outside the space
  }
  return toJson(json, { image: () => null });
}

/** Free data as JSON, with its pictures in the store as `{ $image: hash }`. */
export async function plain(value: unknown, images: ImageStore): Promise<JsonValue> {
  const saved = await Promise.all(picturesIn(value).map((picture) => images.save(picture)));
  return toJson(value, { image: () => ({ $image: saved.shift()! }) });
}

function picturesIn(value: unknown): Image[] {
  const pictures: Image[] = [];
  toJson(value, {
    image: (image) => {
      pictures.push(image);
      return null;
    },
    array: () => null,
  });
  return pictures;
}
