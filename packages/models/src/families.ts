/**
 * The model families that policies are made of: those of this package, one line each, and those that a program registers.
 *
 * The registry belongs to this copy of the package, unlike that of the environments: a model is recognized by its classes
 * (`Module`, `Projection`), which the ESM and the CommonJS copy do not share.
 */
import { closest, GymError } from '@vlgym/core';
import type { ModelFamily, ModelPreset } from './language-model.js';
import { composedFamily } from './models/composed/family.js';
import { gemma3Family } from './models/gemma3/family.js';
import { gemma3TextFamily } from './models/gemma3-text/family.js';
import { idefics3Family, smolVlmFamily } from './models/idefics3/family.js';
import { llamaFamily } from './models/llama/family.js';
import { llavaNextFamily } from './models/llava-next/family.js';
import { mistralFamily } from './models/mistral/family.js';
import { qwen2Family } from './models/qwen2/family.js';
import { qwen25VlFamily } from './models/qwen2-5-vl/family.js';
import { qwen2VlFamily } from './models/qwen2-vl/family.js';
import { qwen3Family } from './models/qwen3/family.js';
import { qwen3VlFamily } from './models/qwen3-vl/family.js';
import { tinyFamily } from './models/tiny/family.js';

/** A new family of this package is one line here; the first is the default. */
const BUILT_IN: readonly [ModelFamily, ...ModelFamily[]] = [
  tinyFamily,
  qwen2VlFamily,
  qwen25VlFamily,
  qwen3VlFamily,
  llamaFamily,
  qwen2Family,
  qwen3Family,
  gemma3TextFamily,
  mistralFamily,
  idefics3Family,
  smolVlmFamily,
  llavaNextFamily,
  gemma3Family,
  composedFamily,
];

const families = new Map(BUILT_IN.map((family) => [family.name, family]));

/** The name of a family or preset is taken by another family. */
export class ModelFamilyExistsError extends GymError {
  constructor(kind: 'family' | 'preset', name: string) {
    super(`A model ${kind} is already registered as "${name}".`, {
      code: 'MODEL_FAMILY_EXISTS',
      value: name,
      hint: 'choose another name; checkpoints refer to it',
    });
  }
}

/** No imported package has registered a family or preset of this name. */
export class UnknownModelError extends GymError {
  constructor(
    kind: 'family' | 'preset',
    name: string,
    readonly known: readonly string[],
  ) {
    const similar = closest(name, known);
    super(`Unknown model ${kind} "${name}".`, {
      code: 'UNKNOWN_MODEL',
      value: name,
      expected: known.join(', '),
      hint: similar
        ? `did you mean "${similar}"?`
        : 'import the package that calls `registerModelFamily`, as ESM or as CommonJS like this one',
    });
  }
}

/**
 * Makes a family known to `createPolicy` and `loadPolicy`. Registering the same object again does nothing.
 *
 * @throws {ModelFamilyExistsError} Another family has its name or the name of one of its presets.
 */
export function registerModelFamily(family: ModelFamily): void {
  const registered = families.get(family.name);
  if (registered === family) return;
  if (registered) throw new ModelFamilyExistsError('family', family.name);
  for (const preset of Object.keys(family.presets)) {
    if (findPreset(preset)) throw new ModelFamilyExistsError('preset', preset);
  }
  families.set(family.name, family);
}

/** @throws {UnknownModelError} No family has this name. */
export function modelFamily(name: string): ModelFamily {
  const family = families.get(name);
  if (!family) throw new UnknownModelError('family', name, [...families.keys()]);
  return family;
}

export interface NamedPreset extends ModelPreset {
  readonly name: string;
  readonly family: ModelFamily;
}

/**
 * The preset of a name, or the first preset of a family.
 *
 * @throws {UnknownModelError} The family is not registered, or the preset is not one of its presets.
 */
export function modelPreset(preset?: string, familyName?: string): NamedPreset {
  if (preset === undefined) {
    const family = modelFamily(familyName ?? BUILT_IN[0].name);
    const [first] = Object.keys(family.presets);
    return modelPreset(first ?? family.name, family.name);
  }
  const found = findPreset(preset);
  if (found && (familyName === undefined || found.family.name === familyName)) return found;
  const candidates = familyName === undefined ? [...families.values()] : [modelFamily(familyName)];
  throw new UnknownModelError(
    'preset',
    preset,
    candidates.flatMap(({ presets }) => Object.keys(presets)),
  );
}

function findPreset(name: string): NamedPreset | undefined {
  for (const family of families.values()) {
    if (Object.hasOwn(family.presets, name)) return { name, family, ...family.presets[name]! };
  }
  return undefined;
}

/** The family that reads folders of this `model_type`; undefined if none does. */
export function publishedFamily(modelType: unknown): ModelFamily | undefined {
  return [...families.values()].find(({ published }) => published?.modelType === modelType);
}

/** The `model_type`s that some family reads. */
export function publishedModelTypes(): string[] {
  return [...families.values()].flatMap(({ published }) => (published ? [published.modelType] : []));
}
