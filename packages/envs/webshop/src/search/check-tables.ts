/**
 * Checks the tables that a search follows through an index, once when it is opened.
 *
 * Postings are not decoded: a list of n bytes is read in n steps for any contents, and documents that do not exist are
 * ignored. But lists must lie inside the postings, and blocks inside their list, in order: then a search takes time linear
 * in the lists of its terms, for every file.
 */
import { IndexFormatError } from './index-layout.js';

export interface IndexTables {
  readonly documents: number;
  readonly termOffsets: Uint32Array;
  readonly termBytes: number;
  readonly postingOffsets: Uint32Array;
  readonly postingBytes: number;
  readonly skipOffsets: Uint32Array;
  readonly skips: Uint32Array;
  readonly positions: Uint32Array;
}

/** @throws {IndexFormatError} */
export function checkTables(tables: IndexTables): void {
  const { documents, termOffsets, termBytes, postingOffsets, postingBytes, skipOffsets, skips, positions } = tables;
  if (!divides(termOffsets, termBytes)) throw new IndexFormatError('the offsets of its terms are wrong');
  if (!divides(postingOffsets, postingBytes)) throw new IndexFormatError('the offsets of its postings are wrong');
  if (!divides(skipOffsets, skips.length / 2)) throw new IndexFormatError('the offsets of its skip lists are wrong');
  for (let term = 0; term < skipOffsets.length - 1; term += 1) {
    const listBytes = postingOffsets[term + 1]! - postingOffsets[term]!;
    let before = -1;
    for (let block = skipOffsets[term]!; block < skipOffsets[term + 1]!; block += 1) {
      const offset = skips[2 * block + 1]!;
      if (offset <= before || offset >= listBytes) throw new IndexFormatError('a skip list is wrong');
      before = offset;
    }
  }
  for (const position of positions) {
    if (position >= documents) throw new IndexFormatError('a position is not in the catalog');
  }
}

/** Whether ascending offsets divide a length, from 0 to its end. */
function divides(offsets: Uint32Array, length: number): boolean {
  let before = 0;
  for (const offset of offsets) {
    if (offset < before) return false;
    before = offset;
  }
  return offsets[0] === 0 && before === length;
}
