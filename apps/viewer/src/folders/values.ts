/** Fields of JSON that somebody else may have written: one that has another type counts as absent. */

export type Json = Readonly<Record<string, unknown>>;

export const record = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
export const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
export const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const numbers = (value: unknown): number[] => list(value).map((each) => number(each) ?? Number.NaN);

/** An object without its undefined fields. */
export function present<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never;
}
