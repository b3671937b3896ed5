/** Options of the environment that plays in Python, checked. */
import { checkOptions, type FileGameOptions, type HouseholdOptions, InvalidOptionError } from '../env/options.js';
import type { RewardWeights } from '../env/reward.js';

/** What can be paid without goal conditions, which the Python engine does not report. */
export type PythonReward = 'sparse' | 'verl-agent' | Pick<RewardWeights, 'won' | 'illegal' | 'step'>;

export interface AlfredPythonOptions
  extends Omit<HouseholdOptions, 'reward' | 'expert'>,
    Pick<FileGameOptions, 'data' | 'split' | 'games'> {
  readonly reward?: PythonReward | undefined;
  /**
   * Run the package's hand-coded expert, for `oracle`; default: none. It reads the `traj_data.json` beside a game, knows
   * the words `move … to …` only, and gives up at step 196, which ends the episode. The package's option for a planner
   * has no effect there.
   */
  readonly expert?: 'hand-coded' | undefined;
  /** Interpreter that has alfworld; default: `VLGYM_ALFWORLD_PYTHON`, else `python3` on the path. */
  readonly python?: string | undefined;
  /** Milliseconds that a `reset` or `step` may take; default 60 000. */
  readonly timeout?: number | undefined;
  /** Milliseconds that the process may take to start, imports included; default 120 000. */
  readonly startTimeout?: number | undefined;
}

const KNOWN = [
  ...['renderMode', 'taskTypes', 'maxSteps', 'reward', 'observationStyle', 'dialogue', 'actionOnly', 'matching'],
  ...['expert', 'domainRandomization', 'data', 'split', 'games', 'python', 'timeout', 'startTimeout'],
];

/** Longest that Node's timers can wait. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

export function checkPythonOptions(options: AlfredPythonOptions): void {
  checkOptions(options, KNOWN);
  checkReward(options.reward);
  for (const name of ['timeout', 'startTimeout'] as const) {
    const value = options[name];
    if (value !== undefined && !(Number.isInteger(value) && value >= 1 && value <= LONGEST_TIMEOUT)) {
      throw new InvalidOptionError(name, value, `milliseconds, a whole number from 1 to ${LONGEST_TIMEOUT}`);
    }
  }
  const { python, expert } = options;
  if (expert !== undefined && expert !== 'hand-coded') throw new InvalidOptionError('expert', expert, "'hand-coded'");
  if (python !== undefined && (typeof python !== 'string' || python === '')) {
    throw new InvalidOptionError('python', python, 'path or name of a Python interpreter');
  }
}

/** An active virtual environment has its own `python3` first on the path. */
export function defaultPython(): string {
  return process.env.VLGYM_ALFWORLD_PYTHON || (process.platform === 'win32' ? 'python' : 'python3');
}

function checkReward(reward: PythonReward = 'sparse'): void {
  if (reward === 'sparse' || reward === 'verl-agent') return;
  const names = ['won', 'illegal', 'step'];
  if (typeof reward === 'object' && reward !== null && Object.keys(reward).every((name) => names.includes(name)))
    return;
  const why = 'the Python engine reports no goal conditions';
  throw new InvalidOptionError('reward', reward, `sparse, verl-agent, or weights for won, illegal, step: ${why}`);
}
