/** The result of a check: one line of JSON as its last line of output, and the same in a file under `$OUT`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export async function finish(check: string, result: Readonly<Record<string, unknown>>): Promise<void> {
  const line = JSON.stringify({ check, ...result });
  if (process.env.OUT) await writeFile(join(process.env.OUT, `${check}.json`), `${line}\n`);
  console.log(line);
}

/** The same for a check that fails: how far it came, and why. */
export function failing(check: string, result: () => Readonly<Record<string, unknown>> = () => ({})) {
  return async (error: unknown): Promise<void> => {
    process.exitCode = 1;
    await finish(check, { ...result(), ok: false, error: error instanceof Error ? error.message : String(error) });
  };
}

/** A number as people read it: five digits. */
export const rounded = (value: number): number => Number(value.toPrecision(5));
