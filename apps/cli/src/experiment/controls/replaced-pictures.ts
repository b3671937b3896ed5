/** An environment whose prompts show other pictures than the agent should see; nothing else changes. */
import {
  type AnyEnv,
  type ChatMessage,
  type Dialogue,
  type Image,
  type PromptContext,
  promptImages,
  type ResetOptions,
  type ResetResult,
  Wrapper,
} from '@vlgym/core';

/** @returns the picture in place of the n-th of a prompt. */
export type Replace = (image: Image, index: number) => Image;

export abstract class ReplacedPictures extends Wrapper {
  override readonly dialogue: Dialogue<unknown, unknown>;

  constructor(env: AnyEnv) {
    super(env);
    const dialogue = env.dialogue!;
    this.dialogue = {
      version: dialogue.version,
      prompt: (context) => replaced(dialogue.prompt(context), (image, index) => this.picture(image, index)),
      parse: (text, context) => dialogue.parse(text, context),
      ...(dialogue.choices && { choices: (context) => dialogue.choices!(context) }),
    };
  }

  protected abstract picture(image: Image, index: number): Image;
}

/** Every picture is one even gray. */
class BlankedPictures extends ReplacedPictures {
  protected override picture(image: Image): Image {
    return { ...image, data: new Uint8Array(image.data.length).fill(GRAY) } as Image;
  }
}

const GRAY = 128;
/** Seeds tried for an episode about something else. */
const TRIES = 50;

/** Every picture is the first one of an episode about another task. */
class ShuffledPictures extends ReplacedPictures {
  #others: readonly Image[] = [];

  override async reset(options: ResetOptions = {}): Promise<ResetResult<unknown>> {
    const { seed = 0 } = options;
    const own = await super.reset(options);
    for (let other = seed + 1; other <= seed + TRIES; other += 1) {
      const first = await super.reset({ ...options, seed: other });
      const context: PromptContext = { ...first, history: [] };
      this.#others = promptImages(this.env.dialogue!.prompt(context) as readonly ChatMessage[]);
      if (own.info.taskKey === undefined || first.info.taskKey !== own.info.taskKey) break;
    }
    return super.reset({ ...options, seed });
  }

  protected override picture(image: Image, index: number): Image {
    return this.#others[index % Math.max(1, this.#others.length)] ?? image;
  }
}

export const blanked = (env: AnyEnv): AnyEnv => new BlankedPictures(env) as AnyEnv;
export const shuffled = (env: AnyEnv): AnyEnv => new ShuffledPictures(env) as AnyEnv;

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
