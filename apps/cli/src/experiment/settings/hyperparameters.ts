/** The options of an algorithm for people: name, value, range, meaning. Read from its schema. */
import { type OptionKind, type OptionSchema, optionEntries, valueAtPath } from '@vlgym/rl/config';
import { bold, dim, table, wrapText } from '../../terminal/style.js';
import { presetOf, titleOf, variantOf } from '../algorithms.js';
import { type OptionChoices, optionsOf, valueText } from '../run-options.js';
import { nameAlgorithms } from '../user-algorithms.js';

export interface Hyperparameter {
  /** As in `--set`, e.g. `loss.clipLow`. */
  readonly name: string;
  /** The algorithm's own. */
  readonly default: unknown;
  /**
   * Permission to set the option: only the algorithm and the user, also a task or a model, or any if it only affects speed.
   */
  readonly kind: OptionKind;
  /** The allowed values, as text. */
  readonly range: string;
  /** The schema's one-line description (`.describe(…)`); empty if it has none. */
  readonly description: string;
}

export function hyperparametersOf(name: string): Hyperparameter[] {
  const preset = presetOf(name);
  const { config } = preset();
  return optionEntries(preset.options).map(({ path, kind, schema }) => ({
    name: path.join('.'),
    default: valueAtPath(config, path),
    kind,
    range: rangeOf(schema),
    description: schema.description ?? '',
  }));
}

function rangeOf(schema: OptionSchema): string {
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

/** The hyperparameters of one algorithm. @param typed  A name, a variant or a file. */
export async function hyperparameterLines(typed: string): Promise<string[]> {
  const { names } = await nameAlgorithms([typed], []);
  const [name = typed] = names;
  const options = hyperparametersOf(name);
  return [
    bold(`Hyperparameters of ${titleOf(variantOf(name)[0])}`) + dim(' (default; range)'),
    ...described(options, ({ name: option, default: value, range }) => [option, valueText(value), range]),
    dim('  Options marked * depend on size or task: model and environment may set them, no others.'),
    '',
  ];
}

/** Those in force in a run, and who set each. */
export function optionLines(choices: OptionChoices): string[] {
  const { algorithm, env, model } = choices;
  const rows = optionsOf(choices).options.map(({ name, value, origin, own, kind, schema }) => ({
    ...{ name, kind, origin },
    value: valueText(value),
    own: valueText(own),
    range: rangeOf(schema),
    description: schema.description ?? '',
  }));
  return [
    bold(`Hyperparameters of ${titleOf(algorithm)} on ${env} with the model ${model}`) +
      dim(' (--set NAME=VALUE; in force; who set it; range)'),
    ...described(rows, ({ name, value, origin, own, range }) => [
      name,
      value,
      own === value ? origin : `${origin}, not ${own}`,
      range,
    ]),
    '',
  ];
}

interface Described {
  readonly name: string;
  readonly kind: OptionKind;
  readonly description: string;
}

/** A row for each, with its description below; a star where size or task may set it. */
function described<Option extends Described>(
  options: readonly Option[],
  cells: (option: Option) => string[],
): string[] {
  const rows = options.map((option) => {
    const [name, ...others] = cells(option);
    return [
      `  ${name}${option.kind === 'task' ? '*' : ''}`,
      ...others.map((cell, index) => (index === 0 ? ` ${cell}` : cell)),
    ];
  });
  return table(rows)
    .split('\n')
    .flatMap((row, index) => [row, ...indented(options[index]!.description)]);
}

const indented = (description: string): string[] =>
  description ? [dim(`      ${wrapText(description, WIDTH).replaceAll('\n', '\n      ')}`)] : [];

export const pointer = [
  `  vlgym train ALGORITHM --help lists the hyperparameters of one, vlgym algorithms all algorithms`,
  '',
];
