/**
 * Examples as Parquet in TRL's layout; a picture is `{ bytes, path }`, as `datasets` stores it. Steps of recordings have
 * columns for what they earned and where they stand.
 */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { encodePng, hashImage } from '@vlgym/core/images';
import { writeFileAtomic } from '@vlgym/core/internal';
import { parquetWriteBuffer, type SchemaElement } from 'hyparquet-writer';
import { DatasetFileError } from './errors.js';
import type { ChatExample } from './example.js';
import { type LaidOutMessage, laidOut, originColumns } from './layout.js';

/** Bytes of pictures and texts in one file; it is built in memory. */
const MAX_BYTES = 2 ** 30;
/** Readers load whole row groups. */
const ROWS_WITH_PICTURES = 100;
const ROWS = 10_000;

/** Columns of `origin`: their types in Parquet and in the `datasets` library. */
const ORIGIN = {
  reward: ['DOUBLE', 'float64'],
  return: ['DOUBLE', 'float64'],
  success: ['BOOLEAN', 'bool'],
  seed: ['INT64', 'int64'],
  env: ['UTF8', 'string'],
  episode: ['UTF8', 'string'],
  step: ['INT64', 'int64'],
  policy_version: ['INT64', 'int64'],
} as const;
type OriginColumn = keyof typeof ORIGIN;
const ORIGIN_COLUMNS = Object.keys(ORIGIN) as OriginColumn[];

/** The column types for the `datasets` library: `images` hold pictures, not structs. */
const featuresOf = (origin: readonly OriginColumn[]) => ({
  info: {
    features: {
      images: [{ _type: 'Image' }],
      ...Object.fromEntries(['prompt', 'completion'].map(chatFeature)),
      ...Object.fromEntries(origin.map((name) => [name, { dtype: ORIGIN[name][1], _type: 'Value' }])),
    },
  },
});

function chatFeature(name: string): readonly [string, unknown] {
  const text = { dtype: 'string', _type: 'Value' };
  return [name, [{ role: text, content: [{ type: text, text }] }]];
}

const text = (name: string): SchemaElement => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  repetition_type: 'OPTIONAL',
});

const group = (name: string, fields: readonly (readonly SchemaElement[])[]): SchemaElement[] => [
  { name, repetition_type: 'OPTIONAL', num_children: fields.length },
  ...fields.flat(),
];

const list = (name: string, element: readonly SchemaElement[]): SchemaElement[] => [
  { name, repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  ...element,
];

const chat = (name: string) => {
  const content = list('content', group('element', [[text('type')], [text('text')]]));
  return list(name, group('element', [[text('role')], content]));
};

const picture = group('element', [
  [{ name: 'bytes', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' }],
  [text('path')],
]);

const scalar = (name: OriginColumn): SchemaElement => {
  const [type] = ORIGIN[name];
  return type === 'UTF8' ? text(name) : { name, type, repetition_type: 'OPTIONAL' };
};

const schemaOf = (origin: readonly OriginColumn[]): SchemaElement[] => [
  { name: 'root', num_children: 3 + origin.length },
  ...chat('prompt'),
  ...chat('completion'),
  ...list('images', picture),
  ...origin.map(scalar),
];

/** @returns the number of rows. @throws {DatasetFileError} More than 1 GiB: write several files. */
export async function writeParquet(path: string, examples: AsyncIterable<ChatExample>): Promise<number> {
  const columns = { prompt: [] as unknown[], completion: [] as unknown[], images: [] as unknown[] };
  const origins: Readonly<Record<string, unknown>>[] = [];
  let bytes = 0;
  for await (const example of examples) {
    const { prompt, completion, images } = laidOut(example);
    const files = images.map((image) => ({
      bytes: encodePng(image),
      path: `${hashImage(image).replace('sha256:', '')}.png`,
    }));
    columns.prompt.push(prompt.map(inColumns));
    columns.completion.push(completion.map(inColumns));
    columns.images.push(files);
    origins.push(originColumns(example));
    bytes += JSON.stringify(prompt).length + example.response.length;
    for (const file of files) bytes += file.bytes.length;
    if (bytes > MAX_BYTES) {
      throw new DatasetFileError(
        path,
        `it would have more than ${MAX_BYTES} bytes; write JSON Lines, or fewer episodes`,
      );
    }
  }
  const present = ORIGIN_COLUMNS.filter((name) => origins.some((origin) => origin[name] !== undefined));
  const ofOrigin = present.map((name) => ({ name, data: origins.map((origin) => inParquet(name, origin[name])) }));
  const buffer = parquetWriteBuffer({
    columnData: [...Object.entries(columns).map(([name, data]) => ({ name, data })), ...ofOrigin],
    schema: schemaOf(present),
    rowGroupSize: columns.images.some((files) => (files as unknown[]).length > 0) ? ROWS_WITH_PICTURES : ROWS,
    kvMetadata: [{ key: 'huggingface', value: JSON.stringify(featuresOf(present)) }],
    createdBy: 'vlgym',
  });
  await mkdir(dirname(path), { recursive: true });
  await writeFileAtomic(path, new Uint8Array(buffer));
  return columns.prompt.length;
}

const inParquet = (name: OriginColumn, value: unknown) =>
  value === undefined ? null : ORIGIN[name][0] === 'INT64' ? BigInt(value as number) : value;

/** A table gives every part every key. */
const inColumns = ({ role, content }: LaidOutMessage) => ({
  role,
  content: content.map((part) => ({ type: part.type, text: part.type === 'text' ? part.text : null })),
});
