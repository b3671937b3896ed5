/** `vlgym export`: recorded episodes, metrics and weights as other programs read them. */
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { type CommandContext, defineCommand, UsageError } from '../../command-line/command.js';
import { checkNeeds, needs } from '../../command-line/needs.js';
import { exportDataset } from '../../export/dataset.js';
import { checkFolder } from '../../folders/check-folder.js';
import { checkOutputFile, checkOutputFolder } from '../../folders/output-path.js';
import { recordingsIn } from '../../folders/recordings.js';
import { weightsIn } from '../../folders/weights.js';
import { CHATS, RECORDED } from '../../supervised/options.js';

const FORMATS = [
  ...(['parquet', 'jsonl', 'inspect', 'trackio', 'mlflow', 'tensorboard-images'] as const),
  ...(['adapter', 'merged'] as const),
] as const;
type Format = (typeof FORMATS)[number];
const isFormat = (word: string | undefined): word is Format => FORMATS.includes(word as Format);

const by = (...formats: readonly Format[]) => needs({ format: formats });
const DATASETS = ['parquet', 'jsonl'] as const;
const ofRecording = needs({ format: DATASETS, examples: [RECORDED] });
const toServer = by('trackio', 'mlflow');
const ofPictures = by('tensorboard-images');

const schema = z.object({
  words: z
    .array(z.string())
    .default([])
    .describe(
      `FORMAT (${FORMATS.join(', ')}) and a run, a recording, a suite, an episodes.jsonl, or another dataset; for weights a run or checkpoint`,
    ),
  to: z.enum(FORMATS).optional().describe('the format, where the first word is the folder; default parquet'),
  out: z
    .string()
    .optional()
    .meta(by('parquet', 'jsonl', 'inspect', 'tensorboard-images', 'adapter', 'merged'))
    .describe('file or folder to write; default next to what is exported'),
  episodes: z.enum(['success', 'all']).default('success').meta(ofRecording).describe('episodes of a dataset'),
  minReturn: z.number().optional().meta(ofRecording).describe('smallest return of an episode of a dataset'),
  skipInvalid: z
    .boolean()
    .default(false)
    .meta(by(...DATASETS))
    .describe('leave invalid lines of a dataset out, each with a message'),
  server: z
    .string()
    .optional()
    .meta(toServer)
    .describe('address of Trackio or MLflow; default TRACKIO_SERVER_URL or MLFLOW_TRACKING_URI, or the local default'),
  project: z.string().default('vlgym').meta(toServer).describe('project of Trackio, experiment of MLflow'),
  megabytes: z.number().nonnegative().default(50).meta(by('inspect')).describe('most pictures of an Inspect log'),
  steps: z
    .number()
    .int()
    .positive()
    .default(8)
    .meta(ofPictures)
    .describe('pictures of each recorded update for TensorBoard'),
  limit: z
    .number()
    .int()
    .positive()
    .default(16)
    .meta(ofPictures)
    .describe('episodes of each recording for TensorBoard'),
});
type Options = z.output<typeof schema>;

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'recorded episodes, metrics and weights for other programs',
  description:
    "`parquet` and `jsonl` write every step of recorded episodes as a row in TRL's layout (`prompt`, `completion`, `images`, and `reward`, `return`, `seed`, `env`, `episode`, `step`, `policy_version`), which `datasets.load_dataset` reads. `inspect` writes a log that `inspect view` opens; `trackio` and `mlflow` send the metrics of a run to a server; `tensorboard-images` writes what recorded updates saw. `adapter` is the adapter of a run as peft and vLLM load it, `merged` the whole model as a folder.",
  positional: 'words',
  options: schema,
  examples: [
    { command: 'vlgym export parquet runs/expert', does: 'successful episodes, for TRL' },
    { command: 'vlgym export jsonl runs/expert --out data/train.jsonl', does: 'with PNG files next to it' },
    { command: 'vlgym export inspect runs/expert', does: 'a log for `inspect view`' },
    { command: 'vlgym export trackio runs/vl-dac-0 --server URL', does: 'metrics and settings to Trackio' },
    { command: 'vlgym export tensorboard-images runs/vl-dac-0', does: 'pictures of each recorded update' },
    { command: 'vlgym export adapter runs/vl-dac-0', does: 'for peft and vLLM, with its warm start' },
    { command: 'vlgym export merged runs/vl-dac-0 --out models/mine', does: 'a whole model folder' },
  ],
  async run(options, context) {
    const { format, folder } = readWords(options);
    checkNeeds(exportCommand, { ...options, format, examples: RECORDED }, context.given);
    if (options.out !== undefined) {
      await checkOutputFile('--out', options.out);
      if (format === 'adapter' || format === 'merged') await checkOutputFolder('--out', options.out);
    }
    context.stdout.write(`${await exporters[format](folder, options, context)}\n`);
    return 0;
  },
});

function readWords({ words, to }: Pick<Options, 'words' | 'to'>): { readonly format: Format; readonly folder: string } {
  const [first, second, ...more] = words;
  if (to === undefined && isFormat(first) && second !== undefined && more.length === 0)
    return { format: first, folder: second };
  if (first !== undefined && second === undefined && !(to === undefined && isFormat(first)))
    return { format: to ?? 'parquet', folder: first };
  throw new UsageError(`Cannot read "${['export', ...words].join(' ')}".`, {
    expected: `vlgym export FORMAT FOLDER, with one of ${FORMATS.join(', ')}`,
    hint: 'vlgym export parquet runs/expert',
  });
}

type Exporter = (folder: string, options: Options, context: CommandContext) => Promise<string>;

const weights =
  (format: 'adapter' | 'merged'): Exporter =>
  async (folder, { out }) => {
    const found = await weightsIn(folder);
    const path = resolve(out ?? join(found.run ?? found.start, format));
    // libtorch is loaded for weights alone
    const { loadPolicy } = await import('@vlgym/models');
    const policy = await loadPolicy(found.folder, { keepReference: false });
    try {
      if (format === 'adapter') await policy.saveAdapter(path);
      else await policy.saveMerged(path);
      return path;
    } finally {
      policy.close();
    }
  };

const dataset =
  (format: 'parquet' | 'jsonl'): Exporter =>
  (folder, options, { stderr, given }) =>
    exportDataset(folder, {
      ...options,
      format,
      onProblem: (text) => void stderr.write(`left out ${text}\n`),
      onRead: (isRecorded) =>
        checkNeeds(exportCommand, { ...options, format, examples: isRecorded ? RECORDED : CHATS }, given),
    });

const exporters: Readonly<Record<Format, Exporter>> = {
  parquet: dataset('parquet'),
  jsonl: dataset('jsonl'),
  adapter: weights('adapter'),
  merged: weights('merged'),
  async inspect(folder, { out, megabytes }) {
    const { exportInspect } = await import('../../export/inspect.js');
    return exportInspect(await recordingsIn(folder), { out, pictureBytes: megabytes * 1e6, folder });
  },
  async trackio(folder, { server, project }) {
    const { exportToTrackio } = await import('../../export/trackio.js');
    const { runDataOf } = await import('../../export/run-data.js');
    return exportToTrackio(await runDataOf(folder), { server, project });
  },
  async mlflow(folder, { server, project }) {
    const { exportToMlflow } = await import('../../export/mlflow.js');
    const { runDataOf } = await import('../../export/run-data.js');
    return exportToMlflow(await runDataOf(folder), { server, experiment: project });
  },
  async 'tensorboard-images'(folder, { out, steps, limit }) {
    await checkFolder(folder);
    const { writeTensorboardImages } = await import('../../export/tensorboard-images.js');
    const recordings = await recordingsIn(folder).catch(() => []);
    const at = resolve(out ?? join(folder, 'tensorboard-images'));
    const found = await writeTensorboardImages({ run: folder, recordings, folder: at, steps, episodes: limit });
    return `${found.pictures} pictures\n${found.path}`;
  },
};
