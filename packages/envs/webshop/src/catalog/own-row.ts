/**
 * Rows of one's own products, from a CSV file or plain JSON objects, as rows of the original.
 *
 * Columns: `title`, and if they are known `id`, `price`, `photo`, `description`, `features`, `category`, `department`,
 * `kind`, `attributes`, `instruction`, and `option NAME` for each group of options. Lists are separated by `|` in a CSV
 * file; a value of an option may name its photo: `red=red.jpg|blue`.
 */
import { BrokenRow, type ProductRecords } from './clean-product.js';

type Row = Readonly<Record<string, unknown>>;

export interface OwnRow {
  readonly row: Row;
  readonly records: ProductRecords;
}

const OPTION = 'option ';
const COLUMNS = [
  'id',
  'title',
  'price',
  'photo',
  'description',
  'features',
  'category',
  'department',
  'kind',
  'attributes',
  'instruction',
  'options',
] as const;

/** True for a row in the form of this file, false for one of the original, which has `asin` and `name`. */
export const isOwnRow = (row: unknown): row is Row =>
  typeof row === 'object' && row !== null && 'title' in row && !('asin' in row) && !('name' in row);

/**
 * @param number  The row, from 0: the id of a product without one.
 * @throws {BrokenRow}
 */
export function ownRow(given: Row, number: number): OwnRow {
  const unknown = Object.keys(given).find((key) => key !== '' && !isColumn(key));
  if (unknown !== undefined) throw new BrokenRow(`unknown column "${unknown}": ${COLUMNS.join(', ')}, option NAME`);
  const text = (key: (typeof COLUMNS)[number]): string => textOf(given[key], key);
  const list = (key: (typeof COLUMNS)[number]): string[] => listOf(given[key], key);
  const title = text('title');
  if (title === '') throw new BrokenRow('title is empty');
  const category = text('category') || 'other';
  const kind = (text('kind') || category).toLowerCase();
  const features = list('features');
  const named = list('attributes').map((each) => each.toLowerCase());
  const attributes =
    named.length > 0 ? named : features.length > 0 ? features.map((each) => each.toLowerCase()) : [kind];
  const options = optionsOf(given);
  const photo = text('photo');
  // what a person would ask for: the first value of each option
  const wanted = Object.entries(options).map(([name, values]) => ({ name, value: values[0]!.value }));
  const asked = text('instruction') || `I am looking for ${text('kind') ? `${kind}: ` : ''}${title}`;
  const withOptions = wanted.map(({ name, value }) => ` with ${name}: ${value}`).join(', and');
  return {
    row: {
      asin: text('id') || `P${String(number + 1).padStart(6, '0')}`,
      name: title,
      pricing: priceOf(given.price),
      full_description: text('description'),
      small_description: features,
      customization_options: options,
      images: photo === '' ? [] : [photo],
      query: kind,
      category,
      product_category: text('department') || `${category} › ${kind}`,
    },
    records: {
      attributes: { attributes, instruction: asked, instruction_attributes: attributes },
      human: [
        {
          instruction: text('instruction') || `${asked}${withOptions}`,
          instruction_attributes: attributes,
          // an instruction that people wrote says what it wants
          instruction_options: text('instruction')
            ? mentioned(text('instruction'), wanted)
            : wanted.map(({ value }) => value),
        },
      ],
    },
  };
}

const isColumn = (key: string) => (COLUMNS as readonly string[]).includes(key) || key.startsWith(OPTION);

function textOf(value: unknown, key: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') throw new BrokenRow(`${key} is not a text`);
  return value.trim();
}

function listOf(value: unknown, key: string): string[] {
  const parts = Array.isArray(value) ? value : textOf(value, key).split('|');
  return parts.map((part) => textOf(part, key)).filter((part) => part !== '');
}

/** `12.5`, `$12.50`, `10 - 20`, `10,50` */
function priceOf(value: unknown): string {
  const text = textOf(value, 'price').replace(/[$€£\s]/g, '');
  if (text === '') return '';
  const ends = text.split(/to|-|–/).map((end) => end.replace(/,(?=\d{1,2}$)/, '.').replaceAll(',', ''));
  if (ends.length > 2 || ends.some((end) => !/^\d+(?:\.\d+)?$/.test(end))) throw new BrokenRow('price cannot be read');
  return ends.map((end) => `$${end}`).join(' ');
}

interface OptionValue {
  readonly value: string;
  readonly image: string | null;
}

function optionsOf(given: Row): Readonly<Record<string, readonly OptionValue[]>> {
  const groups = new Map<string, readonly OptionValue[]>();
  if (typeof given.options === 'object' && given.options !== null) {
    for (const [name, values] of Object.entries(given.options)) groups.set(name, listOf(values, name).map(optionOf));
  } else if (textOf(given.options, 'options') !== '') {
    throw new BrokenRow('options is not a map; in a CSV file each group is a column "option NAME"');
  }
  for (const [key, value] of Object.entries(given)) {
    if (key.startsWith(OPTION)) groups.set(key.slice(OPTION.length).trim(), listOf(value, key).map(optionOf));
  }
  return Object.fromEntries([...groups].filter(([, values]) => values.length > 0));
}

function optionOf(text: string): OptionValue {
  const at = text.indexOf('=');
  if (at < 0) return { value: text, image: null };
  return { value: text.slice(0, at).trim(), image: text.slice(at + 1).trim() || null };
}

function mentioned(instruction: string, wanted: readonly { readonly value: string }[]): string[] {
  const lower = instruction.toLowerCase();
  return wanted.flatMap(({ value }) => (lower.includes(value.toLowerCase()) ? [value] : []));
}
