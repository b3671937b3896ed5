/**
 * Converts a row of the original's `items_shuffle*.json` to a product.
 *
 * Rules follow `load_products` in `princeton-nlp/WebShop`, `web_agent_site/engine/engine.py` (MIT), section 6.2 of
 * `docs/specs/webshop.md`; `test/golden/webshop-loaded-products.json.gz` pins the outcome. Where the original would raise
 * an exception, the row counts as broken: it is skipped, counted, and named.
 */

import { pythonStrip } from '@vlgym/core/internal';
import { pythonLower } from '../python/lower-case.js';
import { pythonFloat } from '../python/text.js';
import { ID_BYTES } from './disk-layout.js';
import type { HumanInstruction, OptionGroup, Product } from './product.js';

/** Record of a product in the attribute file. */
export interface AttributeRecord {
  readonly attributes?: readonly string[];
  readonly instruction?: string | null;
  readonly instruction_attributes?: readonly string[] | null;
}

/** One instruction of `items_human_ins.json`. */
export interface HumanRecord {
  readonly instruction: string;
  readonly instruction_attributes: readonly string[];
  readonly instruction_options: readonly string[];
}

export interface ProductRecords {
  readonly attributes?: AttributeRecord | undefined;
  readonly human?: readonly HumanRecord[] | undefined;
  /** Nouns of the title, if the catalog has them. */
  readonly nouns?: readonly string[] | undefined;
}

type Row = Readonly<Record<string, unknown>>;

/** The row cannot be used. */
export class BrokenRow extends Error {}

const TEXT_KEYS = ['name', 'category', 'query', 'product_category'] as const;
const MAX_ASIN_LENGTH = 10;
/** The reward compares options and attributes letter by letter, which takes the product of their lengths. */
const MAX_COMPARED_LENGTH = 4000;

/** Returns the asin of a row, or why the original skips it. @throws {BrokenRow} The original would crash. */
export function asinOf(row: unknown): { readonly asin: string } | { readonly skip: string } {
  if (typeof row !== 'object' || row === null) throw new BrokenRow('not an object');
  const { asin } = row as Row;
  if (typeof asin !== 'string' || asin === '') throw new BrokenRow('no asin');
  if (asin === 'nan') return { skip: 'asin is "nan"' };
  if (asin.length > MAX_ASIN_LENGTH) return { skip: `asin is longer than ${MAX_ASIN_LENGTH} characters` };
  if (Buffer.byteLength(asin) > ID_BYTES) throw new BrokenRow(`asin takes more than ${ID_BYTES} bytes`);
  return { asin };
}

/**
 * @param onLeftOut  Receives the reason why an instruction of the product is left out.
 * @throws {BrokenRow} A field is missing or unreadable; the message names it.
 */
export function cleanProduct(
  row: Row,
  asin: string,
  { attributes, human, nouns }: ProductRecords = {},
  onLeftOut: (reason: string) => void = () => {},
): Product {
  for (const key of TEXT_KEYS) if (typeof row[key] !== 'string') throw new BrokenRow(`${key} is not a text`);
  const { pricing, price } = cleanPrice(row.pricing);
  const { options, images } = cleanOptions(row.customization_options);
  const pictures = isAbsent(row.images) ? [] : row.images;
  if (!Array.isArray(pictures)) throw new BrokenRow('images is not a list');
  const record = attributeRecord(attributes);
  const instructions = isAbsent(human) ? undefined : cleanInstructions(human, onLeftOut);
  return {
    asin,
    title: row.name as string,
    description: textOrNothing(row.full_description, 'full_description'),
    bulletPoints: bullets(row.small_description),
    price,
    pricing,
    options,
    optionImages: images,
    attributes: comparedStrings(record.attributes ?? ['DUMMY_ATTR'], 'attributes'),
    mainImage: typeof pictures[0] === 'string' ? pictures[0] : null,
    query: pythonStrip(pythonLower(row.query as string)),
    category: row.category as string,
    productCategory: row.product_category as string,
    ...(instructions && { instructions }),
    ...(record.instruction !== undefined && {
      instruction: record.instruction,
      instructionAttributes: comparedStrings(record.instruction_attributes ?? [], 'instruction_attributes'),
    }),
    ...(!isAbsent(nouns) && { nouns: strings(nouns, 'nouns') }),
  };
}

/** Falsy in Python: the original tests truth before it reads the value. */
function isAbsent(raw: unknown): raw is null | undefined | '' | false | 0 {
  return !raw || (typeof raw === 'object' && Object.keys(raw).length === 0);
}

function attributeRecord(raw: unknown): Omit<AttributeRecord, 'instruction'> & { readonly instruction?: string } {
  if (isAbsent(raw)) return {};
  if (typeof raw !== 'object' || Array.isArray(raw)) throw new BrokenRow('the attribute record is not a map');
  const { instruction, ...rest } = raw as AttributeRecord;
  if (instruction === null || instruction === undefined) return rest;
  if (typeof instruction !== 'string') throw new BrokenRow('the instruction of the attribute record is not a text');
  return { ...rest, instruction };
}

/** Readable instructions: one bad instruction does not remove its product. */
function cleanInstructions(raw: unknown, onLeftOut: (reason: string) => void): HumanInstruction[] {
  if (!Array.isArray(raw)) throw new BrokenRow('the instructions of people are not a list');
  return raw.flatMap((record: HumanRecord) => {
    try {
      return [cleanInstruction(record)];
    } catch (error) {
      if (!(error instanceof BrokenRow)) throw error;
      onLeftOut(`instruction left out: ${error.message}`);
      return [];
    }
  });
}

function cleanInstruction(record: HumanRecord): HumanInstruction {
  if (typeof record?.instruction !== 'string') throw new BrokenRow('it is not a text');
  return {
    instruction: record.instruction,
    attributes: comparedStrings(record.instruction_attributes ?? [], 'instruction_attributes'),
    options: comparedStrings(record.instruction_options ?? [], 'instruction_options'),
  };
}

/** `$15.00 $18.00 $30.00` → the first two; without a price → 100 dollars. */
export function cleanPrice(raw: unknown): { readonly pricing: readonly number[]; readonly price: string } {
  if (isAbsent(raw)) return { pricing: [100], price: '$100.0' };
  if (typeof raw !== 'string') throw new BrokenRow('pricing is not a text');
  const numbers = raw
    .split('$')
    .slice(1)
    .map((piece) => piece.replace(/[^\d.]/g, ''))
    .map((digits) => {
      if (!/\d/.test(digits) || digits.indexOf('.') !== digits.lastIndexOf('.')) {
        throw new BrokenRow('pricing cannot be read');
      }
      return Number(digits);
    });
  const [low, high] = numbers;
  if (low === undefined) throw new BrokenRow('pricing has no dollar sign');
  return high === undefined
    ? { pricing: [low], price: `$${pythonFloat(low)}` }
    : { pricing: [low, high], price: `$${pythonFloat(low)} to $${pythonFloat(high)}` };
}

function cleanOptions(raw: unknown): { options: OptionGroup[]; images: Record<string, string | null> } {
  const groups = new Map<string, readonly string[]>();
  const images = new Map<string, string | null>();
  if (!isAbsent(raw)) {
    if (typeof raw !== 'object' || Array.isArray(raw)) throw new BrokenRow('customization_options is not a map');
    for (const [name, contents] of Object.entries(raw)) {
      if (contents === null) continue;
      if (!Array.isArray(contents)) throw new BrokenRow('an option group is not a list');
      const values = contents.map((content: unknown) => {
        const { value, image } = (content ?? {}) as Row;
        if (typeof value !== 'string') throw new BrokenRow('an option has no value');
        checkLength(value, 'an option');
        const clean = pythonLower(pythonStrip(value).replaceAll('/', ' | '));
        images.set(clean, typeof image === 'string' ? image : null);
        return clean;
      });
      groups.set(pythonLower(name), values);
    }
  }
  const options = [...groups].map(([name, values]) => ({ name, values }));
  return { options, images: Object.fromEntries(images) };
}

function bullets(raw: unknown): readonly string[] {
  return Array.isArray(raw) ? strings(raw, 'small_description') : [textOrNothing(raw, 'small_description')];
}

function textOrNothing(raw: unknown, name: string): string {
  if (raw === null || raw === undefined) return '';
  if (typeof raw !== 'string') throw new BrokenRow(`${name} is not a text`);
  return raw;
}

function strings(raw: unknown, name: string): readonly string[] {
  if (!Array.isArray(raw) || raw.some((entry) => typeof entry !== 'string')) {
    throw new BrokenRow(`${name} is not a list of texts`);
  }
  return raw;
}

/** Texts that rewards compare. */
function comparedStrings(raw: unknown, name: string): readonly string[] {
  const texts = strings(raw, name);
  for (const text of texts) checkLength(text, `an entry of ${name}`);
  return texts;
}

function checkLength(text: string, what: string): void {
  if (text.length > MAX_COMPARED_LENGTH) {
    throw new BrokenRow(`${what} is longer than ${MAX_COMPARED_LENGTH} characters`);
  }
}
