/**
 * Episodes in files of other programs: logs of Inspect (JSON, or `.eval` with deflate) and `traces.jsonl` of verifiers 0.4
 * (one episode per line: `traces` with `nodes`, each a message with its `parent`, and `rewards`). Files are read as a
 * stranger's: fields that are missing or of another type are left out.
 */
import { readJsonLines, readRegularBytes } from '@vlgym/core/internal';
import { strFromU8, unzipSync } from 'fflate';
import { UsageError } from '../command-line/usage-error.js';
import type { ImportedEpisode, ImportedMessage, ImportedPart } from './conversation.js';

const MAX_BYTES = 2 ** 30;
const MAX_ENTRY_BYTES = 2 ** 28;

type Json = Readonly<Record<string, unknown>>;
const record = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** @throws {UsageError} Another kind of file, or a damaged one. */
export async function* readEpisodes(path: string): AsyncGenerator<ImportedEpisode> {
  if (path.endsWith('.jsonl')) yield* tracesIn(path);
  else if (path.endsWith('.eval')) yield* inspectZip(path, await readRegularBytes(path, MAX_BYTES));
  else if (path.endsWith('.json')) {
    const log = record(parsed(path, strFromU8(await readRegularBytes(path, MAX_BYTES))));
    for (const sample of list(log.samples)) yield inspectSample(record(sample), record(log.eval));
  } else throw unknown(path);
}

const unknown = (path: string, cause?: unknown) =>
  new UsageError(`${path} cannot be imported.`, {
    expected: 'a log of Inspect (.eval with deflate, or .json), or traces.jsonl of verifiers',
    hint: 'newer logs: `inspect log convert --to json` writes JSON',
    ...(cause !== undefined && { cause }),
  });

function parsed(path: string, json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch (cause) {
    throw unknown(path, cause);
  }
}

function* inspectZip(path: string, bytes: Uint8Array): Generator<ImportedEpisode> {
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(bytes, { filter: ({ originalSize }) => originalSize <= MAX_ENTRY_BYTES });
  } catch (cause) {
    throw unknown(path, cause);
  }
  const header = files['header.json'] ?? files['_journal/start.json'];
  const spec = record(record(header && parsed(path, strFromU8(header))).eval);
  for (const [name, entry] of Object.entries(files)) {
    if (name.startsWith('samples/')) yield inspectSample(record(parsed(path, strFromU8(entry))), spec);
  }
}

function inspectSample(sample: Json, spec: Json): ImportedEpisode {
  const attachments = record(sample.attachments);
  const full = (value: unknown) => {
    const given = text(value);
    const name = given?.startsWith('attachment://') ? given.slice('attachment://'.length) : undefined;
    return name === undefined ? given : (text(attachments[name]) ?? given);
  };
  const messages = list(sample.messages).map((each): ImportedMessage => {
    const message = record(each);
    const content = list(message.content).map(record);
    const plain = full(message.content);
    const reasoning = content.flatMap((part) => full(part.reasoning) ?? []).join('\n');
    return {
      role: roleOf(message.role),
      parts:
        plain === undefined
          ? content.flatMap((part): ImportedPart[] => {
              if (part.type === 'image') return [{ image: full(part.image) ?? '' }];
              return part.type === 'text' ? [{ text: full(part.text) ?? '' }] : [];
            })
          : [{ text: plain }],
      reasoning: reasoning || undefined,
      calls: list(message.tool_calls).map((call) => {
        const { id, function: name, arguments: input } = record(call);
        return { id: text(id) ?? '', name: text(name) ?? 'tool', input: input ?? null };
      }),
      callId: text(message.tool_call_id),
    };
  });
  const scores = Object.entries(record(sample.scores)).map(([name, score]) => [name, record(score).value] as const);
  const [, judged] = scores.find(([, value]) => value === 'C' || value === 'I' || typeof value === 'boolean') ?? [];
  const values = scores.flatMap(([name, value]) => {
    const found = typeof value === 'boolean' ? Number(value) : (number(value) ?? LETTERS[String(value)]);
    return found === undefined ? [] : [[name, found] as const];
  });
  return {
    id: `${text(sample.id) ?? number(sample.id) ?? 'sample'}.${number(sample.epoch) ?? 1}`,
    ...{ env: text(spec.task) || 'inspect', agent: text(spec.model) || 'model', messages, createdBy: 'inspect_ai' },
    reward:
      record(record(sample.scores).return).value === undefined
        ? (values[0]?.[1] ?? 0)
        : (number(record(record(sample.scores).return).value) ?? 0),
    rewardParts: Object.fromEntries(values),
    success: judged === undefined ? undefined : judged === 'C' || judged === true,
    error: text(record(sample.error).message),
  };
}

/** Inspect's values of scores: correct, incorrect, partial, no answer. */
const LETTERS: Readonly<Record<string, number>> = { C: 1, I: 0, P: 0.5, N: 0 };

const roleOf = (role: unknown): ImportedMessage['role'] =>
  role === 'system' || role === 'assistant' || role === 'tool' ? role : 'user';

async function* tracesIn(path: string): AsyncGenerator<ImportedEpisode> {
  for await (const line of readJsonLines(path)) {
    if (!('value' in line)) continue; // torn, as a killed run leaves it
    const row = record(line.value);
    const env = text(record(row.env).id) || 'verifiers';
    for (const each of list(row.traces)) {
      const trace = record(each);
      const rewards = Object.entries(record(trace.rewards)).flatMap(([name, reward]) => {
        const { score, weight } = record(reward);
        return number(score) === undefined ? [] : [[name, number(score)! * (number(weight) ?? 1)] as const];
      });
      const total = rewards.reduce((sum, [, value]) => sum + value, 0);
      const error = record(list(trace.errors)[0]);
      yield {
        id: text(trace.id) ?? 'trace',
        ...{ env, agent: text(record(trace.agent).name) || 'agent', createdBy: 'verifiers' },
        messages: pathOf(list(trace.nodes).map(record)).map(verifiersMessage),
        reward: total,
        rewardParts: Object.fromEntries(rewards),
        success: rewards.length > 0 ? total >= 1 : undefined,
        error: text(error.type) && `${text(error.type)}: ${text(error.message) ?? ''}`,
      };
    }
  }
}

/** From the root to the node that came last. */
function pathOf(nodes: readonly Json[]): Json[] {
  const path: Json[] = [];
  for (let at: number | undefined = nodes.length - 1; at !== undefined && nodes[at]; ) {
    path.unshift(nodes[at]!);
    const parent = number(nodes[at]!.parent);
    at = parent !== undefined && parent < at ? parent : undefined;
  }
  return path;
}

function verifiersMessage(node: Json): ImportedMessage {
  const message = record(node.message);
  const plain = text(message.content);
  return {
    role: roleOf(message.role),
    parts:
      plain === undefined
        ? list(message.content).map((each): ImportedPart => {
            const part = record(each);
            return part.type === 'image_url'
              ? { image: text(record(part.image_url).url) ?? '' }
              : { text: text(part.text) ?? '' };
          })
        : [{ text: plain }],
    reasoning: text(message.reasoning_content),
    calls: list(message.tool_calls).map((call) => {
      const { id, name, arguments: input } = record(call);
      return { id: text(id) ?? '', name: text(name) ?? 'tool', input: input ?? null };
    }),
    callId: text(message.tool_call_id),
  };
}
