/**
 * A vlgym environment in an OpenEnv session, in one of two faces.
 *
 * `text`: the response of a model goes through the environment's dialogue, and the observation is the next prompt. Any
 * JSON object without `text` is such a response itself, because adapters send a reply that is a JSON object as the action.
 * `native`: action and observation are the JSON forms of the spaces.
 */
import type { Image } from '@vlgym/core';
import { type ChatMessage, messageText, promptImages } from '@vlgym/core';
import { InvalidMessageError } from '../errors.js';
import type { ServedEnv } from '../session/served-env.js';
import type { Moment, ServedEpisode } from '../session/served-episode.js';
import type { JsonObject, OpenEnvSession, Outcome, Tool, ToolResult } from './endpoint.js';
import { ToolCallError } from './endpoint.js';
import { momentMetadata } from './metadata.js';
import type { PictureForm, Pictures } from './pictures.js';
import type { Face } from './schemas.js';
import { taskSeed } from './tasks.js';
import { extra, isObject, missing, notObject, notString, readInteger } from './validation.js';

export interface EnvSessionOptions {
  readonly face: Face;
  readonly images: PictureForm;
  readonly pictures: Pictures;
  /** `state` holds a snapshot, and a reset takes one. */
  readonly snapshots: boolean;
  readonly served: ServedEnv;
}

const TOOLS: readonly Tool[] = [
  {
    name: 'act',
    description: 'Answer the prompt; the result is the next prompt.',
    inputSchema: {
      type: 'object',
      properties: { action: { type: 'string', description: 'the response, as the prompt asks for it' } },
      required: ['action'],
      additionalProperties: false,
    },
  },
  {
    name: 'observe',
    description: 'The current prompt, without acting.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  },
];

export class EnvSession implements OpenEnvSession {
  readonly tools = TOOLS;

  episode: ServedEpisode;
  #split: string | undefined;

  constructor(
    episode: ServedEpisode,
    readonly options: EnvSessionOptions,
  ) {
    this.episode = episode;
  }

  async reset(data: JsonObject): Promise<Outcome> {
    const { seed, episode_id: episodeId, snapshot, split, index, options = {}, ...others } = data;
    if (!isObject(options)) throw new InvalidMessageError([notObject(['options'], options)]);
    const id = episodeId as string | undefined;
    if (snapshot !== undefined && this.options.snapshots)
      return this.#outcome(await this.episode.restore(snapshot, id));
    const rest = {
      ...others,
      ...(snapshot === undefined ? {} : { snapshot }),
      ...(index === undefined && split !== undefined ? { split } : {}),
    };
    const task = index === undefined ? undefined : await this.#selectTask(split, index);
    return this.#outcome(
      await this.episode.reset({
        seed: (seed as number | undefined) ?? task,
        episodeId: id,
        options: { ...rest, ...options },
      }),
    );
  }

  async step(action: JsonObject): Promise<Outcome> {
    const { env } = this.episode;
    if (this.options.face === 'text') {
      const { text } = action;
      if (text === undefined) return this.#outcome(await this.episode.respond(JSON.stringify(action)));
      if (typeof text !== 'string') throw new InvalidMessageError([notString(['text'], text)]);
      return this.#outcome(await this.episode.respond(text));
    }
    const others = Object.keys(action).filter((key) => key !== 'action' && key !== 'metadata');
    if (others.length > 0) throw new InvalidMessageError(others.map((key) => extra([key], action[key])));
    if (action.action === undefined) throw new InvalidMessageError([missing(['action'], action)]);
    return this.#outcome(await this.episode.act(decodeAction(env.actionSpace, action.action)));
  }

  /** A step without a reset acts in the episode of seed 0. */
  async startForStep(): Promise<void> {
    await this.episode.reset({ seed: 0 });
  }

  async state(): Promise<JsonObject> {
    const { state } = this.episode;
    return this.options.snapshots ? { ...state, snapshot: await this.episode.snapshot() } : { ...state };
  }

  async callTool(name: string, args: JsonObject): Promise<ToolResult> {
    if (name === 'observe') return toolResult(await this.#outcome(this.episode.moment, 'text'));
    const { action } = args;
    if (typeof action !== 'string') throw new ToolCallError('invalid_args', 'action: Input should be a valid string');
    return toolResult(await this.#outcome(await this.episode.respond(action), 'text'));
  }

  async close(): Promise<void> {
    await this.episode.close();
  }

  /** Changes to the environment of the split. @returns The seed of the task. */
  async #selectTask(split: unknown, index: unknown): Promise<number> {
    const { served } = this.options;
    if (typeof split !== 'string') throw new InvalidMessageError([notString(['split'], split ?? null)]);
    const read = readInteger(index, ['index']);
    if (typeof read === 'object') throw new InvalidMessageError([read]);
    const seed = taskSeed(served.id, split, read);
    if (split !== this.#split) {
      const next = await served.open(split as 'train' | 'test');
      await this.episode.close();
      this.episode = next;
      this.#split = split;
    }
    return seed;
  }

  #outcome(moment: Moment, face = this.options.face): Outcome {
    const { reward, terminated, truncated } = moment;
    const done = terminated || truncated;
    const observation = face === 'text' ? this.#prompt() : this.#value(moment);
    return { observation, reward, done, metadata: momentMetadata(moment) };
  }

  #prompt(): JsonObject {
    const messages = this.episode.messages();
    const { pictures, images: form } = this.options;
    const written = new Map<Image, JsonObject>();
    for (const image of promptImages(messages))
      if (!written.has(image)) written.set(image, pictures.write(image, form));
    return {
      messages: messages.map((message) => ({ role: message.role, content: parts(message, written) })),
      text: messages.map(messageText).join('\n\n'),
      images: [...written.values()],
    };
  }

  #value({ observation }: Moment): JsonObject {
    const { env } = this.episode;
    const mask = env.actionMask?.();
    return { value: env.observationSpace.encode(observation), ...(mask && { mask: [...mask] }) };
  }
}

function parts({ content }: ChatMessage, written: ReadonlyMap<Image, JsonObject>): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map((part) =>
    part.type === 'text' ? { type: 'text', text: part.text } : { type: 'image', image: written.get(part.image)! },
  );
}

/** @throws {InvalidMessageError} Not an action of the space; a whole number may come as text, as pydantic takes it. */
function decodeAction(space: ServedEpisode['env']['actionSpace'], json: unknown): unknown {
  try {
    if (space.type !== 'discrete') return space.decode(json);
    const read = readInteger(json, ['action']);
    if (typeof read === 'object') throw new InvalidMessageError([read]);
    return space.decode(read);
  } catch (error) {
    if (error instanceof InvalidMessageError) throw error;
    const msg = `Input should be ${space.describe()}`;
    throw new InvalidMessageError([{ type: 'value_error', loc: ['action'], msg, input: json }]);
  }
}

/** A tool's result: words, pictures, and the numbers as data. */
function toolResult({ observation, reward, done, metadata = {} }: Outcome): ToolResult {
  const { text, images } = observation as { text: string; images: readonly { data?: string; media_type: string }[] };
  const data = { text, reward, done, ...metadata };
  return {
    content: [
      { type: 'text', text },
      ...images.flatMap((image) =>
        image.data === undefined ? [] : [{ type: 'image', data: image.data, mimeType: image.media_type }],
      ),
    ],
    structured_content: data,
    data,
  };
}
