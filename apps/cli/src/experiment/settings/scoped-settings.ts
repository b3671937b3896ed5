/**
 * Settings for some algorithms only: `--set vl-dac:wide.loss.clipLow=0.2` changes one variant, `--set vl-dac.…` one
 * algorithm with its variants, `--set loss.…` all of them.
 *
 * Names of variants may hold dots (`vl-dac:clip0.1`). Options are read as paths before anybody knows the names, so their
 * settings lie a level further inside for each dot.
 */
import { isRecord, mergeDeep } from '@vlgym/core/internal';
import type { Given } from '../../command-line/given.js';
import { expandDots } from '../../command-line/option-values.js';
import { UsageError } from '../../command-line/usage-error.js';
import { algorithmNames, variantOf } from '../algorithms.js';

type Settings = Readonly<Record<string, unknown>>;

const isScope = (key: string) => key.includes(':') || algorithmNames().includes(key);

/**
 * Settings of `--set` for one algorithm: first those for all, then the algorithm's, then the variant's.
 *
 * @param all  The names of all that run: `vl-dac:a` does not get what is meant for `vl-dac:a.b`.
 */
export function settingsFor(algorithm: string, set: Settings, all: readonly string[] = []): Record<string, unknown> {
  const [base] = variantOf(algorithm);
  const mine = without(
    set,
    all.filter((name) => name.startsWith(`${algorithm}.`)),
  );
  const general = Object.fromEntries(Object.entries(mine).filter(([key]) => !isScope(key)));
  return [...new Set([base, algorithm])].reduce((merged, scope) => {
    const own = at(mine, scope.split('.'));
    return isRecord(own) ? mergeDeep(merged, expandDots(own)) : merged;
  }, general);
}

/** The same of where they were typed. */
export const givenFor = (algorithm: string, { set, ...given }: Given, all: readonly string[] = []): Given =>
  typeof set === 'object' ? { ...given, set: settingsFor(algorithm, set, all) as Given } : given;

/**
 * @param options.single  One run, so that a variant needs no settings under its name.
 * @throws {UsageError} Settings for an algorithm that does not run, or a variant that differs in nothing.
 */
export function checkScopes(
  algorithms: readonly string[],
  set: Settings,
  { single = false }: { readonly single?: boolean } = {},
): void {
  const bases = algorithms.map((name) => variantOf(name)[0]);
  const others = without(
    set,
    algorithms.filter((name) => name.includes('.')),
  );
  for (const key of Object.keys(others).filter(isScope)) {
    if (algorithms.includes(key) || bases.includes(key)) continue;
    throw new UsageError(`--set has settings for "${key}", which does not run.`, {
      expected: `one of ${[...new Set([...algorithms, ...bases])].join(', ')}`,
      hint: `name it in the algorithms too: ${[...algorithms, key].join(',')}`,
    });
  }
  if (single) return; // the whole of --set may be about the one variant
  const equal = algorithms.find((name) => variantOf(name)[1] !== undefined && !isRecord(at(set, name.split('.'))));
  if (equal === undefined) return;
  throw new UsageError(`The variant "${equal}" has no settings.`, {
    hint: `add for example --set ${equal}.optimizer.epochs=1`,
  });
}

const at = (value: unknown, [key, ...rest]: readonly string[]): unknown =>
  key === undefined ? value : isRecord(value) ? at(value[key], rest) : undefined;

/** The settings without those of some names. */
function without(set: Settings, names: readonly string[]): Settings {
  return names.reduce((left, name) => remove(left, name.split('.')), set);
}

function remove(set: Settings, [key = '', ...rest]: readonly string[]): Settings {
  const { [key]: found, ...others } = set;
  if (rest.length === 0 || !isRecord(found)) return others;
  const inner = remove(found, rest);
  return Object.keys(inner).length === 0 ? others : { ...others, [key]: inner };
}
