/**
 * Episodes of other programs as recordings: a conversation whose assistant messages are the steps. The messages before one
 * are its prompt. Nothing can be played again, because the environment belongs to another program.
 */
import { join } from 'node:path';
import type { Image } from '@vlgym/core';
import { decodePng } from '@vlgym/core/images';
import { EPISODES_FILE, INDEX_FILE, indexTrajectory, JsonLineAppender } from '@vlgym/core/internal';
import { digestObservation, FolderImages, type StoredMessage, type Trajectory } from '@vlgym/core/trajectory';

export interface ImportedPart {
  readonly text?: string;
  /** A data URL. */
  readonly image?: string;
}

export interface ImportedMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly parts: readonly ImportedPart[];
  readonly reasoning?: string | undefined;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: unknown }[] | undefined;
  /** For a tool: the call that it answers. */
  readonly callId?: string | undefined;
}

export interface ImportedEpisode {
  readonly id: string;
  readonly env: string;
  readonly agent: string;
  readonly messages: readonly ImportedMessage[];
  readonly reward: number;
  readonly success?: boolean | undefined;
  readonly rewardParts?: Readonly<Record<string, number>> | undefined;
  readonly error?: string | undefined;
  readonly createdBy: string;
}

const PNG = /^data:image\/png;base64,/;

/** Appends episodes to the recording of a folder. */
export class ImportWriter {
  readonly #images: FolderImages;
  readonly #ids = new Set<string>();
  count = 0;

  private constructor(
    folder: string,
    readonly episodes: JsonLineAppender,
    readonly index: JsonLineAppender,
  ) {
    this.#images = new FolderImages(join(folder, 'images'));
  }

  static async open(folder: string): Promise<ImportWriter> {
    const episodes = await JsonLineAppender.open(join(folder, EPISODES_FILE));
    return new ImportWriter(folder, episodes, await JsonLineAppender.open(join(folder, INDEX_FILE)));
  }

  async add(episode: ImportedEpisode): Promise<void> {
    const trajectory = await this.#trajectoryOf(episode);
    if (trajectory.steps.length === 0) return; // nobody has answered
    const after = await this.episodes.size();
    const range = await this.episodes.append(trajectory);
    await this.index.append({ ...indexTrajectory(trajectory, range), after });
    this.count += 1;
  }

  async close(): Promise<void> {
    await this.episodes.close();
    await this.index.close();
  }

  async #trajectoryOf(episode: ImportedEpisode): Promise<Trajectory> {
    const { messages, env, agent, reward, success, rewardParts, error, createdBy } = episode;
    const steps: Trajectory['steps'] = [];
    let prompt: StoredMessage[] = [];
    let first: readonly StoredMessage[] | undefined;
    const last = messages.findLastIndex(({ role }) => role === 'assistant');
    for (const [position, message] of messages.entries()) {
      if (message.role !== 'assistant') {
        prompt.push(await this.#stored(message));
        continue;
      }
      first ??= prompt;
      const isLast = position === last;
      const outputs = messages.filter(({ callId }) => callId !== undefined);
      const toolCalls = message.calls?.map(({ id, name, input }) => {
        const output = outputs.find(({ callId }) => callId === id);
        return { id, name, input: input as never, ...(output && { output: textOf(output.parts) }) };
      });
      steps.push({
        index: steps.length,
        prompt,
        response: textOf(message.parts),
        ...(message.reasoning && { reasoning: message.reasoning }),
        ...(toolCalls && toolCalls.length > 0 && { toolCalls }),
        reward: isLast ? reward : 0,
        ...(isLast && rewardParts && { rewardParts }),
        terminated: isLast && error === undefined,
        truncated: isLast && error !== undefined,
        ...(isLast &&
          error !== undefined && {
            truncationReason: 'environment-error' as const,
            error: { boundary: 'environment' as const, code: 'IMPORTED', message: error },
          }),
        observation: observationOf(messages[position + 1] ? [await this.#stored(messages[position + 1]!)] : []),
      });
      prompt = [];
    }
    const endedBy = error === undefined ? 'terminated' : 'error';
    return {
      schema: 'vlgym.trajectory/2',
      id: this.#free(episode.id),
      createdBy: { [createdBy]: 'imported' },
      env: { id: env },
      agent: { name: agent },
      observation: observationOf(first ?? []),
      info: {},
      steps,
      outcome: { return: reward, length: steps.length, ...(success !== undefined && { success }), endedBy },
    };
  }

  async #stored({ role, parts }: ImportedMessage): Promise<StoredMessage> {
    const content = await Promise.all(
      parts.map(async ({ text = '', image }) => {
        const picture = image === undefined ? undefined : pictureOf(image);
        if (picture) return { type: 'image' as const, image: await this.#images.save(picture) };
        return { type: 'text' as const, text: image === undefined ? text : `[${image.slice(0, 40)}]` };
      }),
    );
    return { role: role === 'tool' ? 'user' : role, content };
  }

  #free(wanted: string): string {
    const plain = wanted.replace(/[^A-Za-z0-9._~-]/g, '_').slice(0, 180) || 'episode';
    const base = /^[A-Za-z0-9]/.test(plain) ? plain : `e${plain}`;
    let id = base;
    for (let attempt = 2; this.#ids.has(id); attempt += 1) id = `${base}~${attempt}`;
    this.#ids.add(id);
    return id;
  }
}

/** Only PNG is decoded; other pictures are named. */
function pictureOf(url: string): Image | undefined {
  if (!PNG.test(url)) return undefined;
  try {
    return decodePng(Buffer.from(url.replace(PNG, ''), 'base64'));
  } catch {
    return undefined;
  }
}

const textOf = (parts: readonly ImportedPart[]): string => parts.map(({ text = '' }) => text).join('\n');

function observationOf(messages: readonly StoredMessage[]): Trajectory['observation'] {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const images = parts.flatMap((part) => (part.type === 'image' ? [part.image] : []));
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return { digest: digestObservation([text, ...images]), ...(images.length > 0 && { images }) };
}
