/** An environment whose prompts show other pictures than the agent should see; nothing else changes. */
import {
  type AnyEnv,
  type Awaitable,
  adaptDialogue,
  type ChatMessage,
  type Dialogue,
  type Image,
  promptImages,
  type ResetOptions,
  type ResetResult,
  taskKeyOf,
  Wrapper,
} from '@vlgym/core';

/** @returns the picture in place of the n-th of a prompt. */
export type Replace = (image: Image, index: number) => Image;

abstract class ReplacedPictures extends Wrapper {
  override readonly dialogue: Dialogue<unknown, unknown>;

  constructor(env: AnyEnv) {
    super(env);
    this.dialogue = adaptDialogue(env.dialogue!, {
      messages: (messages) => replaced(messages, (image, index) => this.picture(image, index)),
    });
  }

  protected abstract picture(image: Image, index: number): Image;
}

/** Every picture is one even gray. */
class BlankedPictures extends ReplacedPictures {
  protected override picture(image: Image): Image {
    return { ...image, data: image.data.slice().fill(GRAY) };
  }
}

const GRAY = 128;

/** First picture of an episode, with its task. */
export interface StartPictures {
  readonly taskKey: string | undefined;
  readonly images: readonly Image[];
}

/** Every picture is the first one of an episode about another task. */
class ShuffledPictures extends ReplacedPictures {
  readonly #pool: readonly StartPictures[];
  #images: readonly Image[] = [];

  constructor(env: AnyEnv, pool: readonly StartPictures[]) {
    super(env);
    this.#pool = pool;
  }

  override async reset(options: ResetOptions = {}): Promise<ResetResult<unknown>> {
    const result = await super.reset(options);
    const own = taskKeyOf(result.info);
    const others = this.#pool.filter(({ taskKey }) => taskKey === undefined || taskKey !== own);
    this.#images = others[(options.seed ?? 0) % Math.max(1, others.length)]?.images ?? [];
    return result;
  }

  protected override picture(image: Image, index: number): Image {
    return this.#images[index % Math.max(1, this.#images.length)] ?? { ...image, data: image.data.slice().fill(GRAY) };
  }
}

export const blanked = (env: AnyEnv): AnyEnv => new BlankedPictures(env) as AnyEnv;
export const shuffled = (env: AnyEnv, pool: readonly StartPictures[]): AnyEnv =>
  new ShuffledPictures(env, pool) as AnyEnv;

/** First pictures of the episodes of these seeds. */
export async function startPictures(
  makeEnv: () => Awaitable<AnyEnv>,
  seeds: readonly number[],
): Promise<StartPictures[]> {
  const env = await makeEnv();
  try {
    const pool: StartPictures[] = [];
    for (const seed of seeds) {
      const { observation, info } = await env.reset({ seed });
      const images = promptImages(env.dialogue?.prompt({ observation, info, history: [] }) ?? []);
      pool.push({ taskKey: taskKeyOf(info), images });
    }
    return pool;
  } finally {
    await env.close();
  }
}

function replaced(messages: readonly ChatMessage[], replace: Replace): ChatMessage[] {
  let index = 0;
  return messages.map((message) =>
    typeof message.content === 'string'
      ? message
      : {
          ...message,
          content: message.content.map((part) => {
            if (part.type !== 'image') return part;
            const image = replace(part.image, index);
            index += 1;
            return { ...part, image };
          }),
        },
  );
}
