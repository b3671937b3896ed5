/** Options of the environments that play in Python, and their checks. */
import { InvalidOptionError, option } from '@vlgym/core';
import { z } from 'zod';
import { checkOptions, commonShape, type FileGameOptions, type HouseholdOptions } from '../env/options.js';
import type { RewardWeights } from '../env/reward.js';

/** Options that both engines share. */
export interface BridgeOptions
  extends Pick<HouseholdOptions, 'renderMode' | 'taskTypes' | 'maxSteps' | 'observationStyle'>,
    Pick<HouseholdOptions, 'dialogue' | 'actionOnly' | 'matching'>,
    Pick<FileGameOptions, 'data' | 'split' | 'splitScheme' | 'games'> {
  readonly reward?: PythonReward | ThorReward | undefined;
  /**
   * Interpreter with alfworld; default: `VLGYM_ALFWORLD_PYTHON`, else the one that `vlgym alfworld setup-python` made,
   * else `python3` on the path.
   */
  readonly python?: string | undefined;
  /** Milliseconds that a `reset` or `step` may take without a sign of progress; default 60,000. */
  readonly timeout?: number | undefined;
  /** The same for the start of the process, including imports; default 120,000. */
  readonly startTimeout?: number | undefined;
  /** Milliseconds that a call may take in total; default 600,000. */
  readonly longestCall?: number | undefined;
  /** Memory limit of the process in MiB, 64 or more; default: unlimited. Linux only. */
  readonly memoryLimit?: number | undefined;
}

/** Rewards without goal conditions, which the text engine does not report. */
export type PythonReward = 'sparse' | 'verl-agent' | Pick<RewardWeights, 'won' | 'illegal' | 'step'>;

/** The visual engine reports the share of met conditions, but not their number. */
export type ThorReward = PythonReward | 'rl4vlm' | 'vl-dac' | Pick<RewardWeights, 'won' | 'level' | 'illegal' | 'step'>;

export interface AlfredPythonOptions extends BridgeOptions, Pick<HouseholdOptions, 'domainRandomization'> {
  readonly reward?: PythonReward | undefined;
  /**
   * Share a process with all environments of the same Python, data, and `memoryLimit`; default true. It answers calls one
   * at a time; false starts a separate process of about 100 MB.
   */
  readonly shareProcess?: boolean | undefined;
  /**
   * Run the package's hand-coded expert, for `oracle`; default: none. It reads the `traj_data.json` next to a game, knows
   * only the verb `move … to …`, and gives up at step 196, which ends the episode. The package's option for a planner
   * has no effect here.
   */
  readonly expert?: 'hand-coded' | undefined;
}

export interface AlfredThorOptions extends BridgeOptions {
  readonly reward?: ThorReward | undefined;
  /** Pixels of a picture, 32 to 1024; default 300. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

export const DEFAULT_MAX_STEPS = 50;
/** Maximum delay of Node's timers. */
const MAX_TIMEOUT = 2 ** 31 - 1;
/** MiB; the operating system counts bytes in 63 bits. */
const MAX_MEMORY = 2 ** 40;

const milliseconds = integer('milliseconds', 1, MAX_TIMEOUT).optional();
const pixels = integer('pixels', 32, 1024).optional();

const bridgeShape = {
  ...commonShape,
  python: option.path('path or name of a Python interpreter').optional(),
  timeout: milliseconds,
  startTimeout: milliseconds,
  longestCall: milliseconds,
  memoryLimit: integer('MiB', 64, MAX_MEMORY).optional(),
} satisfies Record<keyof BridgeOptions, z.ZodType>;

const TEXT_OPTIONS = z.strictObject({
  ...bridgeShape,
  expert: option.oneOf(['hand-coded']).optional(),
  domainRandomization: option.boolean().optional(),
  shareProcess: option.boolean().optional(),
} satisfies Record<keyof AlfredPythonOptions, z.ZodType>);

const THOR_OPTIONS = z.strictObject({
  ...bridgeShape,
  width: pixels,
  height: pixels,
} satisfies Record<keyof AlfredThorOptions, z.ZodType>);

/** @throws {UnknownOptionError | InvalidOptionError} */
export function checkTextOptions(options: AlfredPythonOptions): void {
  checkOptions(options, TEXT_OPTIONS);
  refuseMemoryLimit(options);
  checkReward(options.reward, ['sparse', 'verl-agent'], ['won', 'illegal', 'step']);
}

/** @throws {UnknownOptionError | InvalidOptionError} */
export function checkThorOptions(options: AlfredThorOptions): void {
  checkOptions(options, THOR_OPTIONS);
  refuseMemoryLimit(options);
  checkReward(options.reward, ['sparse', 'verl-agent', 'rl4vlm', 'vl-dac'], ['won', 'level', 'illegal', 'step']);
}

function refuseMemoryLimit({ memoryLimit }: BridgeOptions): void {
  if (memoryLimit === undefined || process.platform === 'linux') return;
  throw new InvalidOptionError(
    'memoryLimit',
    memoryLimit,
    'no value: this system cannot limit the memory of a process',
  );
}

function integer(unit: string, min: number, max: number) {
  const error = `${unit}, an integer from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

function checkReward(reward: unknown, presets: readonly string[], weights: readonly string[]): void {
  if (reward === undefined || presets.includes(reward as string)) return;
  const isWeights = typeof reward === 'object' && reward !== null;
  if (isWeights && Object.keys(reward).every((name) => weights.includes(name))) return;
  const known = `${presets.join(', ')}, or weights for ${weights.join(', ')}`;
  throw new InvalidOptionError('reward', reward, `${known}; goal conditions are not counted in Python`);
}
