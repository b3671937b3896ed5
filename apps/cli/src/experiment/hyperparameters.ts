/** The options of an algorithm for people: name, default, range, meaning. Read from its schema and what it recommends. */
import { isRecord } from '@vlgym/core/internal';
import { z } from 'zod';
import { bold, dim, table, wrapText } from '../terminal/style.js';
import { presetOf, titleOf, variantOf } from './algorithms.js';
import { nameAlgorithms } from './user-algorithms.js';

export interface Hyperparameter {
  /** As in `--set`, e.g. `loss.clipLow`. */
  readonly name: string;
  /** What the algorithm recommends; a task and a small model may change it. */
  readonly default: unknown;
  /** What is allowed, in words. */
  readonly range: string;
  /** What the schema says of it (`.describe(…)`), in one line; empty where it says nothing. */
  readonly description: string;
}

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

export function hyperparametersOf(name: string): Hyperparameter[] {
  const preset = presetOf(name);
  const schema = z.toJSONSchema(preset.options, { io: 'output', unrepresentable: 'any' }) as Schema;
  return leaves(schema, preset().config as unknown as Record<string, unknown>, []);
}

function leaves(schema: Schema, values: Readonly<Record<string, unknown>>, path: readonly string[]): Hyperparameter[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
    const value = values[key];
    const here = [...path, key];
    if (inner.properties && isRecord(value)) return leaves(inner, value, here);
    return [{ name: here.join('.'), default: value, range: rangeOf(inner), description: inner.description ?? '' }];
  });
}

function rangeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map(String).join(', ');
  if (schema.const !== undefined) return String(schema.const);
  if (schema.anyOf) return [...new Set(schema.anyOf.map(rangeOf))].join(' or ');
  if (schema.type === 'object') return `{ ${Object.keys(schema.properties ?? {}).join(', ')} }`;
  if (schema.type === 'array') return `a list: ${rangeOf(schema.items ?? {})}`;
  if (schema.type === 'boolean') return 'true, false';
  if (schema.type !== 'number' && schema.type !== 'integer') return schema.type ?? 'any';
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const big = Number.MAX_SAFE_INTEGER;
  const bounds = [
    exclusiveMinimum !== undefined && `> ${exclusiveMinimum}`,
    minimum !== undefined && minimum > -big && `>= ${minimum}`,
    exclusiveMaximum !== undefined && `< ${exclusiveMaximum}`,
    maximum !== undefined && maximum < big && `<= ${maximum}`,
  ].filter(Boolean);
  return [schema.type, ...(bounds.length > 0 ? [bounds.join(' and ')] : [])].join(' ');
}

/** Columns of a description. */
const WIDTH = 94;

/** For a help page. @param typed  A name, a variant or a file. */
export async function hyperparameterLines(typed: string): Promise<string[]> {
  const { names } = await nameAlgorithms([typed], []);
  const [name = typed] = names;
  const options = hyperparametersOf(name);
  const rows = options.map(({ name: option, default: value, range }) => [
    `  ${option}`,
    ` ${JSON.stringify(value) ?? 'none'}`,
    range,
  ]);
  return [
    bold(`Hyperparameters of ${titleOf(variantOf(name)[0])}`) + dim(' (--set NAME=VALUE; default; range)'),
    ...table(rows)
      .split('\n')
      .flatMap((row, index) => [row, ...indented(options[index]!.description)]),
    '',
  ];
}

const indented = (description: string): string[] =>
  description ? [dim(`      ${wrapText(description, WIDTH).replaceAll('\n', '\n      ')}`)] : [];

export const pointer = [
  `  vlgym train ALGORITHM --help lists the hyperparameters of one, vlgym algorithms all algorithms`,
  '',
];
