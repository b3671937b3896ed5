/** A recorded episode as a conversation in Inspect's layout: messages, reasoning, tool calls, pictures as data URLs. */
import { toDataUrl } from '@vlgym/core/images';
import type { ContentHash, ImageStore, StoredMessage, Trajectory, TrajectoryStep } from '@vlgym/core/trajectory';

export type InspectContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly image: string }
  | { readonly type: 'reasoning'; readonly reasoning: string };

export interface InspectMessage {
  readonly id: string;
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly InspectContent[];
  readonly [field: string]: unknown;
}

/** Pictures of a log within a number of bytes; those over it are named in words. */
export class PictureAllowance {
  /** Pictures that were left out. */
  leftOut = 0;
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  async part(hash: ContentHash, images: ImageStore): Promise<InspectContent> {
    const url = this.#left > 0 ? toDataUrl(await images.load(hash)) : '';
    if (url === '' || url.length > this.#left) {
      this.leftOut += 1;
      return { type: 'text', text: `[picture ${hash.slice('sha256:'.length, 'sha256:'.length + 12)}, left out]` };
    }
    this.#left -= url.length;
    return { type: 'image', image: url };
  }
}

/** Every prompt says what is new in it: what the turn before was shown is not repeated. */
export async function messagesOf(
  { id, steps }: Pick<Trajectory, 'id' | 'steps'>,
  images: ImageStore,
  pictures: PictureAllowance,
): Promise<InspectMessage[]> {
  const messages: InspectMessage[] = [];
  let shown: readonly StoredMessage[] = [];
  for (const step of steps) {
    const prompt = step.prompt ?? [];
    for (const [position, { role, content }] of newIn(prompt, shown).entries()) {
      const parts =
        typeof content === 'string'
          ? content
          : await Promise.all(content.map((part) => (part.type === 'text' ? part : pictures.part(part.image, images))));
      messages.push({ id: `${id}.${step.index}.${position}`, role, content: parts });
    }
    shown = prompt;
    messages.push(...turnOf(id, step));
  }
  return messages;
}

/** Messages after those that both prompts begin with; answers in between were shown as turns. */
function newIn(prompt: readonly StoredMessage[], before: readonly StoredMessage[]): readonly StoredMessage[] {
  const text = (message: StoredMessage | undefined) => JSON.stringify(message);
  let same = 0;
  while (same < prompt.length && same < before.length && text(prompt[same]) === text(before[same])) same += 1;
  const rest = prompt.slice(same);
  const fresh = rest.slice(rest.findLastIndex(({ role }) => role === 'assistant') + 1);
  return fresh.length > 0 ? fresh : prompt.slice(-1);
}

function turnOf(id: string, step: TrajectoryStep): InspectMessage[] {
  const { index, response = '', reasoning, toolCalls = [] } = step;
  const text = response === '' && step.action !== undefined ? JSON.stringify(step.action) : response;
  const content: InspectContent[] = [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning' as const, reasoning }]),
    { type: 'text', text },
  ];
  const idOf = (position: number) => toolCalls[position]?.id ?? `${id}.${index}.call${position}`;
  const calls = toolCalls.map((call, position) => ({
    id: idOf(position),
    function: call.name,
    arguments:
      typeof call.input === 'object' && call.input !== null && !Array.isArray(call.input)
        ? call.input
        : { input: call.input },
    type: 'function',
  }));
  const turn: InspectMessage = {
    id: `${id}.${index}.answer`,
    role: 'assistant',
    content,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const outputs = toolCalls.flatMap((call, position): InspectMessage[] => {
    if (call.output === undefined && call.error === undefined) return [];
    const output = typeof call.output === 'string' ? call.output : (JSON.stringify(call.output) ?? '');
    const error = call.error !== undefined && { error: { type: 'unknown', message: call.error } };
    const message = { id: `${id}.${index}.tool${position}`, role: 'tool', content: output } as const;
    return [{ ...message, tool_call_id: idOf(position), function: call.name, ...error }];
  });
  return [turn, ...outputs];
}
