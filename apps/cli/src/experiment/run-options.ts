/**
 * The options of an algorithm in a run, and who says so. In this order, later ones winning: the algorithm itself, its published
 * code (`--replicate`), the model, the environment, a control, a config file, the command line. Model and environment
 * may set what depends on size and task alone; what makes an algorithm that algorithm is the algorithm's and the user's.
 */
import {
  type Algorithm,
  type Departure,
  departuresOf,
  type LeftOutOption,
  type OptionLayer,
  type ResolvedOptions,
  resolveOptions,
} from '@vlgym/rl';
import type { OptionKind } from '@vlgym/rl/config';
import { byOrigin, type Given } from '../command-line/given.js';
import { presetOf } from './algorithms.js';
import { runControl } from './controls/index.js';
import { modelTraining } from './policy.js';
import { isDeclared, settingsOf } from './settings/settings.js';
import type { RunSpec } from './spec.js';

export interface OptionChoices
  extends Pick<RunSpec, 'algorithm' | 'replicate' | 'env' | 'model' | 'set' | 'constrain'> {
  /** The origin of each option. */
  readonly given?: Given | undefined;
}

const DECLARED: readonly OptionKind[] = ['task', 'speed'];

/** The algorithm of a run with every option set. @throws {UsageError} Its name is unknown. @throws {InvalidConfigError} */
export const algorithmOf = (choices: OptionChoices): Algorithm => optionsOf(choices).algorithm;

/** @throws As `algorithmOf`. */
export function optionsOf(choices: OptionChoices): ResolvedOptions {
  const { algorithm, replicate, constrain, set, given = {} } = choices;
  const typed = { ...set, ...(constrain && { rollout: { ...(set.rollout as object), constrain } }) };
  const origins = { ...(given.set as Given), ...(constrain && { rollout: originsOfRollout(given) }) };
  const layers = [
    ...(replicate ? sizesOf(choices) : declarationsOf(choices)),
    ...[...byOrigin(typed, origins, 'flag')].map(([origin, values]) => ({ origin, values })),
  ];
  return resolveOptions(presetOf(algorithm), layers, { replicate });
}

function originsOfRollout({ set, constrain = 'flag' }: Given): Given {
  const rollout = typeof set === 'string' ? set : set?.rollout;
  return { ...(typeof rollout === 'object' && rollout), constrain };
}

function declarationsOf({ env, model }: OptionChoices): OptionLayer[] {
  const { maxNewTokens, rewardScale, overrides = {} } = settingsOf(env);
  const origin = isDeclared(env) ? 'environment' : 'default';
  return [
    { origin: 'model', values: modelTraining(model).overrides ?? {}, kinds: DECLARED },
    { origin, values: { rollout: { maxNewTokens }, reward: { scale: rewardScale } }, kinds: DECLARED },
    { origin, values: overrides, kinds: DECLARED },
  ];
}

/**
 * A replication keeps the published settings, rewards and sampling included. What another model and another dialogue cannot
 * do without is theirs: learning rate, batch, and the length of responses.
 */
function sizesOf({ env, model }: OptionChoices): OptionLayer[] {
  const { optimizer = {} } = (modelTraining(model).overrides ?? {}) as {
    readonly optimizer?: { readonly batch?: unknown; readonly learningRate?: unknown };
  };
  const { batch, learningRate } = optimizer;
  const origin = isDeclared(env) ? 'environment' : 'default';
  return [
    { origin: 'model', values: { optimizer: { batch, learningRate } }, kinds: DECLARED },
    { origin, values: { rollout: { maxNewTokens: settingsOf(env).maxNewTokens } }, kinds: DECLARED },
  ];
}

const REASONS = {
  unknown: 'it has no such option',
  algorithm: 'it belongs to the algorithm',
} as const satisfies Record<LeftOutOption['reason'], string>;

/**
 * Notices at the start of a run, one per line: declared settings that do not apply, and values that differ from the
 * algorithm's defaults. Empty for a control without an algorithm.
 */
export function optionNotices(choices: OptionChoices & { readonly control?: string | undefined }): string[] {
  if (choices.control !== undefined && runControl(choices.control).kind !== 'algorithm') return [];
  const resolved = optionsOf(choices);
  return [...leftOutNotices(choices, resolved), departureNotice(choices, resolved)];
}

function leftOutNotices({ algorithm, env, model }: OptionChoices, { leftOut }: ResolvedOptions): string[] {
  if (leftOut.length === 0) return [];
  const said = leftOut.map(
    ({ name, origin, reason }) => `${name} of ${origin === 'model' ? model : env} (${REASONS[reason]})`,
  );
  return [`${algorithm} leaves out ${said.join(', ')}`];
}

function departureNotice({ algorithm, replicate }: OptionChoices, resolved: ResolvedOptions): string {
  const others = departuresOf(resolved);
  const whose = replicate ? `${algorithm} as its published code` : algorithm;
  if (others.length === 0) return `${whose}: every option is its own`;
  return `${whose}, but for ${others.map(departureText).join(', ')}`;
}

export const departureText = ({ name, value, own, origin }: Departure): string =>
  `${name} ${valueText(value)} instead of ${valueText(own)} (${origin})`;

export const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none');
