/**
 * Constraint on responses, derived from the dialogue's own demonstrations: the entry of each action that is legal now, and
 * the keys of the object around it.
 *
 * A constraint is JSON data and is kept with the prompt: scoring and training repeat the distribution that was sampled
 * from. `@vlgym/models` turns it into masks over tokens.
 */
import type { AnyEnv, Info } from '../env.js';
import { GymError } from '../errors.js';
import { InvalidOptionError } from '../options.js';
import { isKind } from '../spaces/kinds.js';
import { isRecord } from '../type-tests.js';
import type { PromptContext } from './dialogue.js';

/**
 * `actions`: anything, then the entry of one legal action, which ends the response. `json`: one object with the keys of
 * the dialogue in their order, each with its type, and one legal action last.
 */
export type ConstraintKind = 'actions' | 'json';

interface ConstraintLimits {
  /** Token limit of the whole response; the answer must be complete within it. */
  readonly maxTokens: number;
}

/** Anything in which none of `without` occurs, then one of `endings`. */
export interface EndingConstraint extends ConstraintLimits {
  readonly kind: 'actions';
  /** ASCII, lower case; upper case counts too. Null if nothing stands before the ending. */
  readonly without: readonly string[] | null;
  readonly endings: readonly string[];
}

/** JSON of this schema, its properties in order. */
export interface SchemaConstraint extends ConstraintLimits {
  readonly kind: 'json';
  readonly schema: Readonly<Record<string, unknown>>;
}

export type AnswerConstraint = EndingConstraint | SchemaConstraint;

/** The environment does not say what its answers look like. */
export class ConstraintUnsupportedError extends GymError {
  constructor(dialogue: string, kind: ConstraintKind, expected: string) {
    super(`The dialogue "${dialogue}" cannot be constrained to ${kind}.`, {
      code: 'CONSTRAINT_UNSUPPORTED',
      value: dialogue,
      expected,
      hint: 'set `constrain` to none for this environment',
    });
  }
}

/** One action that is legal now, as the dialogue demonstrates it. */
interface Demonstration {
  readonly text: string;
  /** The start of the action's entry. */
  readonly start: number;
}

/**
 * @param maxTokens  Tokens of the whole response.
 * @throws {ConstraintUnsupportedError} No action can be demonstrated, or the answers are not JSON where it is asked for.
 *
 * @example
 * answerConstraint('actions', env, { observation, info, history }, 256).endings; // ['"action": "left"}', …]
 */
export function answerConstraint(
  kind: ConstraintKind,
  env: AnyEnv,
  context: PromptContext,
  maxTokens: number,
): AnswerConstraint {
  const demonstrations = legalDemonstrations(env, context);
  const { version = 'none' } = env.dialogue ?? {};
  if (demonstrations.length === 0) {
    throw new ConstraintUnsupportedError(
      version,
      kind,
      'listed actions, and `demonstrate` in words that `parse` reads',
    );
  }
  if (kind === 'json') return { kind, maxTokens, schema: schemaOf(demonstrations, version) };
  const endings = [...new Set(demonstrations.map(({ text, start }) => text.slice(start)))];
  if (demonstrations.every(({ start }) => start === 0)) return { kind, maxTokens, without: null, endings };
  const legal = endings.filter((ending) => env.dialogue!.parse(ending, context).legal);
  const marker = /^"(?<double>[^"']+)"|^'(?<single>[^"']+)'|^(?<tag><[^>]+>)/.exec(legal[0] ?? '')?.groups;
  if (!marker) throw new ConstraintUnsupportedError(version, kind, 'an action entry that is read wherever it stands');
  const { double, single, tag } = marker;
  const key = double ?? single;
  // a backslash could spell the key in another way, or hide the quote that begins the entry
  const without = key === undefined ? [tag!] : ['\\', `${key}"`, `${key}'`];
  return { kind, maxTokens, without: without.map((text) => text.toLowerCase()), endings: legal };
}

/** @throws {InvalidOptionError} Neither a kind nor `none`. */
export function constraintKind(value: string): ConstraintKind | undefined {
  if (value === 'actions' || value === 'json') return value;
  if (value === 'none') return undefined;
  throw new InvalidOptionError('constrain', value, 'actions, json or none');
}

function legalDemonstrations(env: AnyEnv, context: PromptContext): Demonstration[] {
  const { dialogue } = env;
  if (!dialogue?.demonstrate) return [];
  return listedActions(env, context).flatMap((action) => {
    const text = dialogue.demonstrate!(context, action);
    const { legal, spans } = dialogue.parse(text, context);
    return legal ? [{ text, start: spans.action[0] }] : [];
  });
}

/** Those that the dialogue offers, or those of a discrete space that the mask allows. */
function listedActions(env: AnyEnv, context: PromptContext): readonly unknown[] {
  const { actionSpace: space, dialogue } = env;
  const listed = dialogue?.choices?.(context) ?? [];
  if (listed.length > 0 || !isKind(space, 'discrete')) return listed;
  const mask = env.actionMask?.();
  return Array.from({ length: space.n }, (_, index) => space.start + index).filter((_, index) => mask?.[index] !== 0);
}

function schemaOf(demonstrations: readonly Demonstration[], dialogue: string): Info {
  const unsupported = () =>
    new ConstraintUnsupportedError(dialogue, 'json', 'one JSON object as the answer, the action its last key');
  const objects = demonstrations.map(({ text }) => parsed(text));
  const [first] = objects;
  const names = Object.keys(first ?? {});
  const last = names.at(-1);
  if (!first || last === undefined) throw unsupported();
  const actions = new Set(objects.map((object) => object?.[last]));
  if ([...actions].some((action) => typeof action !== 'string' && typeof action !== 'number')) throw unsupported();
  const properties = Object.fromEntries(names.slice(0, -1).map((name) => [name, typeOf(first[name])]));
  return { type: 'object', properties: { ...properties, [last]: { enum: [...actions] } } };
}

function parsed(text: string): Info | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The schema of values like this one. */
function typeOf(value: unknown): Info {
  if (Array.isArray(value)) return { type: 'array', items: typeOf(value[0] ?? '') };
  if (isRecord(value)) {
    const properties = Object.entries(value).map(([name, member]) => [name, typeOf(member)]);
    return { type: 'object', properties: Object.fromEntries(properties) };
  }
  if (value === null) return { type: 'null' };
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  return { type: typeof value === 'boolean' ? 'boolean' : 'string' };
}
