/** Fields of rows, checked. Whole numbers of Parquet files arrive as `bigint`. */
import { QuestionError, type Row } from './benchmark.js';

/** @throws {QuestionError} */
export function textOf(row: Row, field: string): string {
  const value = row[field];
  if (typeof value === 'string') return value;
  throw new QuestionError(field, value, 'a text');
}

/** A text or a whole number, as text. @throws {QuestionError} */
export function keyOf(row: Row, field: string): string {
  const value = row[field];
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'bigint' || Number.isInteger(value)) return String(value);
  throw new QuestionError(field, value, 'a text or a whole number');
}

/** @throws {QuestionError} */
export function wholeNumberOf(row: Row, field: string): number {
  const value = row[field];
  const number = typeof value === 'bigint' || typeof value === 'string' ? Number(value) : value;
  if (value !== '' && Number.isInteger(number)) return number as number;
  throw new QuestionError(field, value, 'a whole number');
}

/** @throws {QuestionError} */
export function listOf(row: Row, field: string): readonly string[] {
  const value = row[field];
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value as readonly string[];
  throw new QuestionError(field, value, 'a list of texts');
}

/** The text of a field that need not be there; missing values of tables are `null` or `nan`. */
export function optionalText(row: Row, field: string): string | undefined {
  const value = row[field];
  if (value === undefined || value === null || value === 'nan' || Number.isNaN(value)) return undefined;
  return String(value);
}

/** The options in columns A, B, C …, without empty ones. */
export function lettered(row: Row, letters: string): readonly (readonly [letter: string, text: string])[] {
  return [...letters].flatMap((letter) => {
    const text = optionalText(row, letter);
    return text === undefined || text === '' ? [] : [[letter, text] as const];
  });
}
