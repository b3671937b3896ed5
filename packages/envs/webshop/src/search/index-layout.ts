/**
 * The search index as bytes: one file, or one buffer that threads can share.
 *
 * A line of JSON with the numbers and the places of the parts, then the parts. Documents are numbered by the order of
 * their ids, so that equal scores come in the order Lucene gives them; `positions` leads back to the catalogue.
 */
import { GymError } from '@vlgym/core';

export const INDEX_KIND = 'vlgym-webshop-index/2';

/** Postings between two entries of a skip list. */
export const SKIP = 128;
/** Terms with fewer postings have no skip list. */
export const SKIP_FROM = 1024;

export interface IndexHeader {
  readonly kind: typeof INDEX_KIND;
  readonly documents: number;
  /** Documents with at least one term. */
  readonly searchable: number;
  /** Terms of all documents together, repeats counted. */
  readonly totalTerms: number;
  readonly terms: number;
  /** Offset of each part from the end of the header's line, and its length; bytes. */
  readonly parts: Readonly<Record<IndexPart, readonly [offset: number, length: number]>>;
}

export const INDEX_PARTS = [
  'termTexts', // UTF-8, sorted by bytes
  'termOffsets', // Uint32 per term and one more
  'counts', // Uint32 per term: documents with it
  'postingOffsets', // Uint32 per term and one more
  'bounds', // Float32 per term: largest score for weight 1
  'skipOffsets', // Uint32 per term and one more, in entries
  'skips', // Uint32 pairs: document before the block, offset of the block in the term's postings
  'lengths', // one byte per document
  'positions', // Uint32 per document: place in the catalogue
  'postings', // delta of the document and a bit for "once"; else the frequency follows
] as const;
export type IndexPart = (typeof INDEX_PARTS)[number];
export type IndexParts = Readonly<Record<IndexPart, Uint8Array>>;

/** The parts one after another behind their header, each at a multiple of eight bytes. */
export function joinIndex(numbers: Omit<IndexHeader, 'kind' | 'parts'>, parts: IndexParts): Uint8Array[] {
  const placed: Partial<Record<IndexPart, readonly [number, number]>> = {};
  const pieces: Uint8Array[] = [];
  let offset = 0;
  for (const name of INDEX_PARTS) {
    const part = parts[name];
    placed[name] = [offset, part.length];
    const gap = -part.length & 7;
    pieces.push(part, new Uint8Array(gap));
    offset += part.length + gap;
  }
  const header = JSON.stringify({ kind: INDEX_KIND, ...numbers, parts: placed });
  const line = `${header}${' '.repeat(7 - (Buffer.byteLength(header) & 7))}\n`;
  return [Buffer.from(line), ...pieces];
}

/** @throws {IndexFormatError} Not an index, or one that was cut off. */
export function splitIndex(bytes: Uint8Array): { readonly header: IndexHeader; readonly parts: IndexParts } {
  const end = bytes.indexOf(10);
  const header = parsedHeader(Buffer.from(bytes.subarray(0, Math.max(end, 0))).toString('utf8'));
  const start = end + 1;
  const parts = Object.fromEntries(
    INDEX_PARTS.map((name) => {
      const [offset, length] = header.parts[name];
      if (start + offset + length > bytes.length) throw new IndexFormatError(`the part "${name}" is cut off`);
      return [name, bytes.subarray(start + offset, start + offset + length)];
    }),
  ) as Record<IndexPart, Uint8Array>;
  return { header, parts };
}

function parsedHeader(text: string): IndexHeader {
  let header: Partial<IndexHeader>;
  try {
    header = JSON.parse(text) as Partial<IndexHeader>;
  } catch {
    throw new IndexFormatError('it has no header');
  }
  if (header.kind !== INDEX_KIND) throw new IndexFormatError(`its kind is ${JSON.stringify(header.kind)}`);
  return header as IndexHeader;
}

/** A search index that cannot be read. */
export class IndexFormatError extends GymError {
  constructor(what: string) {
    super(`This is not a search index of this version: ${what}.`, {
      code: 'INDEX_FORMAT',
      expected: INDEX_KIND,
      hint: 'build the index again',
    });
  }
}
