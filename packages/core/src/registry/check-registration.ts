/** The strict check of what `register` is given: a misspelled key or a wrong value is found at import, not at training. */
import { z } from 'zod';
import { GymError, show } from '../errors.js';
import { expectedBy, option, valueAt } from '../parse-options.js';
import { isRecord } from '../type-tests.js';
import { closest } from './closest.js';
import type {
  EnvBaseline,
  EnvGuide,
  EnvSplits,
  LabeledWarmStart,
  NoWarmStart,
  TrainingSettings,
} from './packages/declaration.js';
import { SPEC_SHAPE } from './spec/spec-json.js';
import type { EnvRegistration } from './types.js';

/** `register` was given a key that does not exist or a value that does not fit. */
export class InvalidRegistrationError extends GymError {
  constructor(
    readonly id: string,
    /** Where, e.g. `training.updates`. */
    readonly path: string,
    message: string,
    value: unknown,
    { expected, hint }: { readonly expected?: string; readonly hint?: string },
  ) {
    super(message, {
      code: 'INVALID_REGISTRATION',
      value,
      ...(expected === undefined ? {} : { expected }),
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

type Shape<T> = { readonly [K in keyof Required<T>]: z.ZodType };

const data = z.custom<Record<string, unknown>>(
  (value) => isRecord(value) && isJson(value),
  'an object of plain JSON data',
);
const positive = option.integer(1);
const share = option.number(0, 1);
const text = z.string({ error: 'a text' }).min(1, { error: 'a text' });
const more = (low: number, error: string) => z.number({ error }).gt(low, { error });

const warmStarts = [
  {
    teacher: z.literal('oracle'),
    mistakes: share,
    examples: positive,
    episodes: positive.optional(),
    learningRate: more(0, 'a number above 0'),
    batch: positive,
  } satisfies Shape<LabeledWarmStart>,
  { teacher: z.literal('none') } satisfies Shape<NoWarmStart>,
] as const;

const training = {
  options: data.optional(),
  updates: positive,
  stepsPerUpdate: positive,
  numEnvs: positive,
  evaluateEvery: positive,
  evaluationTemperature: z.number({ error: 'a number, 0 or more' }).min(0, { error: 'a number, 0 or more' }),
  warmStart: z.discriminatedUnion('teacher', [z.strictObject(warmStarts[0]), z.strictObject(warmStarts[1])], {
    error: (issue) => (issue.code === 'invalid_union' ? "'oracle' or 'none'" : undefined),
  }),
  maxNewTokens: positive,
  rewardScale: more(0, 'a number above 0'),
  overrides: data.optional(),
} satisfies Shape<TrainingSettings>;

const splits = { train: data, test: data } satisfies Shape<EnvSplits>;

const baseline = {
  agent: text,
  successRate: share,
  episodes: positive.optional(),
  source: text,
} satisfies Shape<EnvBaseline>;

const guide = { goal: text, rules: text, score: text } satisfies Shape<EnvGuide>;
const guideFunction = z.custom((value) => typeof value === 'function');
const aGuide = '{ goal, rules, score }, a text each, or a function from options to it';

const shortName = 'names without a version, such as "blackjack" or "miniworld/maze"';

const registration = {
  ...SPEC_SHAPE,
  entryPoint: z.custom((value) => typeof value === 'function', '(options) => new MyEnv(options)'),
  fileOptions: z.array(text).readonly().optional(),
  openStage: z.custom((value) => typeof value === 'function', 'a function from an environment to its stage').optional(),
  title: text.optional(),
  shortNames: z
    .array(z.string().regex(/^(?:[\w:-]+\/)?(?![\w:.-]*-v\d+$)[\w:.-]+$/, { error: shortName }), { error: shortName })
    .readonly()
    .optional(),
  surface: option.oneOf(['terminal', 'page']).optional(),
  guide: z.union([guideFunction, z.strictObject(guide)], { error: aGuide }).optional(),
  playOptions: data.optional(),
  splits: z.strictObject(splits).optional(),
  training: z.strictObject(training).optional(),
  baselines: z.array(z.strictObject(baseline)).readonly().optional(),
} satisfies Shape<EnvRegistration>;

const schema = z.strictObject(registration);
const KEYS = [registration, guide, training, splits, baseline, ...warmStarts].flatMap((shape) => Object.keys(shape));

/** @throws {InvalidRegistrationError} */
export function checkRegistration(given: EnvRegistration): void {
  const result = schema.safeParse(given, { error: expectedBy });
  if (result.success) return;
  const issue = result.error.issues[0]!;
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0]!;
    const path = [...issue.path, key].join('.');
    const near = closest(key, KEYS);
    throw new InvalidRegistrationError(given.id, path, `Unknown ${path} in the registration of "${given.id}".`, key, {
      hint: near ? `did you mean "${near}"?` : 'remove it',
    });
  }
  const path = issue.path.join('.');
  const value = valueAt(given, issue.path);
  const message = `Invalid ${path} in the registration of "${given.id}": ${show(value)}.`;
  throw new InvalidRegistrationError(given.id, path, message, value, { expected: issue.message });
}

/** Data that survives a file. */
function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  return isRecord(value) && Object.values(value).every(isJson);
}
