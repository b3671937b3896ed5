/** Queries of the grammar: `pred(x:type, y:type) & pred2(…)`. A placeholder without a type has its name as its type. */
import { GameFileError } from '../errors.js';

/** Identified by name and type together. */
export interface Placeholder {
  readonly name: string;
  readonly type: string;
}

export interface QueryAtom {
  readonly predicate: string;
  readonly arguments: readonly Placeholder[];
}

export type Query = readonly QueryAtom[];

const ATOM = /^\s*([\w/-]+)\s*\(([^()]*)\)\s*$/;
const PLACEHOLDER = /^\s*([\w-]+)\s*(?::\s*([\w-]+)\s*)?$/;

/** @throws {GameFileError} `INVALID_GRAMMAR` */
export function readQuery(written: string): Query {
  return written.split('&').map((part) => {
    const [, predicate, list] = ATOM.exec(part) ?? [];
    if (predicate === undefined || list === undefined) throw malformed(written);
    const names = list.trim() === '' ? [] : list.split(',');
    return {
      predicate: predicate.toLowerCase(),
      arguments: names.map((text) => {
        const [, name, type] = PLACEHOLDER.exec(text) ?? [];
        if (name === undefined) throw malformed(written);
        return { name, type: type ?? name };
      }),
    };
  });
}

function malformed(written: string): GameFileError {
  return new GameFileError(`The query "${written.trim()}" of the grammar cannot be read.`, {
    code: 'INVALID_GRAMMAR',
    value: written,
    expected: 'predicate(name:type, …) & …',
  });
}
