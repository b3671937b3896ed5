/** Algorithms out of files and packages of the user: what a module exports or registers. */
import { type Presets, registerAlgorithms, registeredAlgorithms } from '@vlgym/rl';
import { UsageError } from '../command-line/usage-error.js';
import { absoluteFile, importUserCode, isFile } from '../imports.js';
import { variantOf } from './algorithms.js';

type Preset = Presets[string];

const isPreset = (value: unknown): value is Preset =>
  typeof value === 'function' && 'title' in value && 'options' in value && typeof value.title === 'string';

/** Registers the presets that a module exports. @returns the names of all that came with it. */
async function algorithmsIn(specifier: string): Promise<string[]> {
  const before = Object.keys(registeredAlgorithms());
  const module = await importUserCode(specifier);
  const exported = [...new Set([...Object.values(module), ...Object.values(module.presets ?? {})])].filter(isPreset);
  const named = exported.map((preset) => [preset().name, preset] as const);
  registerAlgorithms(Object.fromEntries(named));
  const registered = Object.keys(registeredAlgorithms()).filter((name) => !before.includes(name));
  return [...new Set([...named.map(([name]) => name), ...registered])];
}

export interface NamedAlgorithms {
  /** By their registered names, with their variants. */
  readonly names: string[];
  /** Modules that another process must import to register them. */
  readonly imports: string[];
}

/**
 * The names behind what was typed: `vl-dac`, `vl-dac:wide`, `./mine.ts`, `./mine.ts:wide`.
 *
 * @param imports  Packages and files of `--import`; the algorithms that they export are known as well.
 * @throws {UsageError} A file holds no algorithm, or several.
 */
export async function nameAlgorithms(typed: readonly string[], imports: readonly string[]): Promise<NamedAlgorithms> {
  for (const specifier of imports) await algorithmsIn(specifier);
  const files: string[] = [];
  const names: string[] = [];
  for (const word of typed) {
    const [base, variant] = variantOf(word);
    if (!isFile(base)) {
      names.push(word);
      continue;
    }
    const [name, ...others] = await algorithmsIn(base);
    if (name === undefined || others.length > 0) {
      throw new UsageError(
        name === undefined ? `${base} holds no algorithm.` : `${base} holds ${[name, ...others].join(', ')}.`,
        {
          expected: 'one export that `defineAlgorithm` made',
          hint: name === undefined ? 'vlgym new algorithm NAME starts one' : `--import ${base} --algorithm ${name}`,
        },
      );
    }
    files.push(absoluteFile(base));
    names.push(variant === undefined ? name : `${name}:${variant}`);
  }
  return { names: [...new Set(names)], imports: [...new Set([...imports, ...files])] };
}
