/**
 * Recorded episodes as a log of Inspect, which its viewer and `read_eval_log` open: JSON, or the zip form `.eval` with
 * `header.json`, `_journal/start.json`, `samples/….json` and `summaries.json` (`UKGovernmentBEIS/inspect_ai`,
 * `log/_log.py` and `log/_recorders/eval.py`, 0.3.285). One sample is held in memory at a time.
 */
import { stat } from 'node:fs/promises';
import { AtomicFile } from '@vlgym/core/internal';
import { readTrajectories, type Trajectory } from '@vlgym/core/trajectory';
import { Zip, ZipDeflate } from 'fflate';
import { type InspectMessage, messagesOf, PictureAllowance } from './inspect-messages.js';

export interface InspectOptions {
  /** `.eval` or `.json`. */
  readonly file: string;
  /** Bytes of pictures, as data URLs. */
  readonly pictureBytes: number;
}

export interface InspectExport {
  readonly samples: number;
  readonly picturesLeftOut: number;
}

/** @param path  Episodes of one agent in one environment. */
export async function writeInspectLog(path: string, { file, pictureBytes }: InspectOptions): Promise<InspectExport> {
  const reader = readTrajectories(path);
  const header = await headerOf(path);
  const pictures = new PictureAllowance(pictureBytes);
  const output = await AtomicFile.create(file);
  try {
    const log = file.endsWith('.eval') ? new ZipLog(output) : new JsonLog(output);
    await log.begin(header);
    for await (const trajectory of reader) {
      await log.sample(sampleOf(trajectory, await messagesOf(trajectory, reader.images, pictures), header));
    }
    await log.end(header);
    await output.commit();
  } catch (error) {
    await output.discard();
    throw error;
  }
  return { samples: header.results.total_samples, picturesLeftOut: pictures.leftOut };
}

async function headerOf(path: string) {
  const reader = readTrajectories(path);
  const { mtimeMs } = await stat(reader.file);
  const changed = new Date(mtimeMs).toISOString().replace('Z', '+00:00');
  const ids: string[] = [];
  let first: Trajectory | undefined;
  let solved = 0;
  let judged = 0;
  let total = 0;
  for await (const trajectory of reader) {
    first ??= trajectory;
    ids.push(trajectory.id);
    const { success, return: sum } = trajectory.outcome;
    if (success !== undefined) judged += 1;
    if (success) solved += 1;
    total += sum;
  }
  const task = first?.env?.id ?? 'recording';
  const model = modelOf(first);
  const score = (name: string, metric: string, value: number) => ({
    name,
    scorer: name,
    params: {},
    metrics: { [metric]: { name: metric, value, params: {} } },
  });
  return {
    version: 2,
    status: 'success',
    eval: {
      created: changed,
      task,
      task_id: ids[0] ?? task,
      eval_id: `${task} ${model}`,
      run_id: ids[0] ?? task,
      task_version: 0,
      dataset: { name: task, samples: ids.length, sample_ids: ids, shuffled: false },
      model,
      config: {},
      packages: first?.createdBy ?? {},
      metadata: { schema: first?.schema, dialogue: first?.dialogue, environment: first?.env },
    },
    plan: { name: 'vlgym', steps: [], config: {} },
    results: {
      total_samples: ids.length,
      completed_samples: ids.length,
      scores: [
        ...(judged > 0 ? [score('success', 'accuracy', solved / judged)] : []),
        ...(ids.length > 0 ? [score('return', 'mean', total / ids.length)] : []),
      ],
    },
    stats: { started_at: changed, completed_at: changed, model_usage: {} },
  };
}

type LogHeader = Awaited<ReturnType<typeof headerOf>>;

const modelOf = (trajectory: Trajectory | undefined): string => {
  const { name = 'agent', model } = trajectory?.agent ?? {};
  return model ?? `vlgym/${name}`;
};

function sampleOf(trajectory: Trajectory, messages: readonly InspectMessage[], { eval: { model } }: LogHeader) {
  const { id, seed, taskKey, group, info, outcome, steps, metadata } = trajectory;
  const { success, return: sum, length, endedBy } = outcome;
  const last = steps.at(-1);
  const answer = last?.actionText ?? last?.response ?? '';
  const final = messages.findLast(({ role }) => role === 'assistant') ?? { id, role: 'assistant', content: '' };
  const first = messages.find(({ role }) => role === 'user');
  const usage = usageOf(steps);
  const explanation = last?.error
    ? `${last.error.boundary} ${last.error.code}: ${last.error.message}`
    : `${endedBy} after ${length} steps`;
  return {
    id,
    epoch: 1,
    input: first ? [first] : '',
    target: '',
    messages,
    output: {
      model,
      choices: [{ message: final, stop_reason: last?.tokens?.finishReason === 'length' ? 'max_tokens' : 'stop' }],
    },
    scores: {
      ...(success !== undefined && { success: { value: success ? 'C' : 'I', answer, explanation } }),
      return: { value: sum },
    },
    metadata: {
      ...{ seed, taskKey, group, length, endedBy, info, metadata },
      rewards: steps.map(({ reward }) => reward),
    },
    ...(usage && { model_usage: { [model]: usage } }),
    store: {},
    events: [],
    attachments: {},
  };
}

function usageOf(steps: Trajectory['steps']) {
  if (steps.every(({ usage }) => usage === undefined)) return undefined;
  const sum = (name: 'inputTokens' | 'outputTokens') =>
    steps.reduce((total, { usage }) => total + (usage?.[name] ?? 0), 0);
  const [input, output] = [sum('inputTokens'), sum('outputTokens')];
  return { input_tokens: input, output_tokens: output, total_tokens: input + output };
}

type Sample = ReturnType<typeof sampleOf>;

interface Log {
  begin(header: LogHeader): Promise<void>;
  sample(sample: Sample): Promise<void>;
  end(header: LogHeader): Promise<void>;
}

/** `{ …header, "samples": [ … ] }` */
class JsonLog implements Log {
  #separator = '';

  constructor(readonly output: AtomicFile) {}

  async begin(header: LogHeader): Promise<void> {
    await this.#write(`${JSON.stringify(header).slice(0, -1)},"samples":[`);
  }

  async sample(sample: Sample): Promise<void> {
    await this.#write(`${this.#separator}${JSON.stringify(sample)}`);
    this.#separator = ',\n';
  }

  async end(): Promise<void> {
    await this.#write(']}\n');
  }

  #write(text: string): Promise<void> {
    return this.output.write(Buffer.from(text));
  }
}

/** `.eval` */
class ZipLog implements Log {
  readonly #summaries: object[] = [];
  #written: Promise<void> = Promise.resolve();
  readonly #zip: Zip;

  constructor(output: AtomicFile) {
    this.#zip = new Zip((error, data) => {
      this.#written = this.#written.then(() => {
        if (error) throw error;
        return output.write(data);
      });
    });
  }

  begin({ version, eval: spec, plan }: LogHeader): Promise<void> {
    return this.#add('_journal/start.json', { version, eval: spec, plan });
  }

  sample(sample: Sample): Promise<void> {
    const { id, epoch, input, target, scores, metadata } = sample;
    const { seed, length } = metadata;
    this.#summaries.push({
      id,
      epoch,
      input: textOf(input),
      target,
      scores,
      metadata: { seed, length },
      completed: true,
    });
    return this.#add(`samples/${id}_epoch_${epoch}.json`, sample);
  }

  async end(header: LogHeader): Promise<void> {
    await this.#add('summaries.json', this.#summaries);
    await this.#add('header.json', header);
    this.#zip.end();
    await this.#written;
  }

  async #add(name: string, value: unknown): Promise<void> {
    const entry = new ZipDeflate(name, { level: 6 });
    // the same episodes give the same bytes
    entry.mtime = '1980-01-01T00:00:00';
    this.#zip.add(entry);
    entry.push(Buffer.from(JSON.stringify(value)), true);
    await this.#written;
  }
}

const SUMMARY = 500;

const textOf = (input: Sample['input']): string => {
  const [{ content = '' } = {}] = typeof input === 'string' ? [{ content: input }] : input;
  return typeof content === 'string'
    ? content.slice(0, SUMMARY)
    : content
        .flatMap((part) => (part.type === 'text' ? [part.text] : []))
        .join('\n')
        .slice(0, SUMMARY);
};
