/** Tools whose results are recorded by their input, and played from the file afterwards. */
import type { JsonValue } from '@vlgym/core/trajectory';
import { keyOf, shortened, unpacked } from './content.js';
import { type CassetteOptions, openTape } from './tape.js';

/**
 * The tools with a cassette; those without `execute` are unchanged. The file may be that of the model.
 *
 * @example
 * const tools = cassetteTools('shopper.jsonl', { search, calculator });
 */
export function cassetteTools<Tools extends Readonly<Record<string, object>>>(
  file: string,
  tools: Tools,
  options: CassetteOptions = {},
): Tools {
  const tape = openTape(file, options);
  const entries = Object.entries(tools).map(([name, tool]) => {
    const { execute } = tool as { readonly execute?: (input: unknown, options: unknown) => unknown };
    if (typeof execute !== 'function') return [name, tool];
    const played = async (input: unknown, given: unknown) => {
      const result = await tape.answer({
        key: keyOf({ tool: name, input }),
        of: `tool ${name}`,
        about: shortened(JSON.stringify(input) ?? ''),
        make: () => outcomeOf(() => execute.call(tool, input, given)),
      });
      const { error, output } = result as { readonly error?: string; readonly output?: JsonValue };
      if (error !== undefined) throw new Error(error);
      return output === undefined ? undefined : unpacked(output);
    };
    return [name, { ...tool, execute: played }];
  });
  return Object.fromEntries(entries) as Tools;
}

/** A failure is a result too: the model is told, then as now. Of a stream of results the last counts. */
async function outcomeOf(run: () => unknown): Promise<object> {
  try {
    let output = await run();
    if (typeof (output as AsyncIterable<unknown> | null)?.[Symbol.asyncIterator] === 'function') {
      for await (const part of output as AsyncIterable<unknown>) output = part;
    }
    return { output };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
