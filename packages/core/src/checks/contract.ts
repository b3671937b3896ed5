/**
 * The rules for one result of `reset`, `step` or `render`; shared by the passive checker and `checkEnv`.
 *
 * They follow `gymnasium/utils/passive_env_checker.py`, for the result types of this package.
 */
import type { AnyEnv, RenderMode } from '../env.js';
import { show } from '../errors.js';
import { isImage } from '../images/is-image.js';
import type { DiscreteSpace } from '../spaces/discrete.js';
import type { Space } from '../spaces/space.js';
import { isTaskKey, MAX_TASK_KEY_LENGTH } from '../tasks/task-key.js';
import { isRecord } from '../type-tests.js';
import type { Finding, FindingCode } from './finding.js';

const error = (code: FindingCode, message: string): Finding => ({ code, severity: 'error', message });

function missingKeys(result: unknown, keys: readonly string[]): string[] | undefined {
  return isRecord(result) ? keys.filter((key) => !(key in result)) : undefined;
}

function observationFindings(method: string, observation: unknown, space: Space): Finding[] {
  if (space.contains(observation)) return [];
  return [
    error(
      'OBSERVATION_OUTSIDE_SPACE',
      `\`${method}\` returned the observation ${show(observation)}; the observation space is ${space.describe()}`,
    ),
  ];
}

function infoFindings(method: string, info: unknown): Finding[] {
  return isRecord(info)
    ? []
    : [error('INFO_NOT_RECORD', `\`${method}\` returned the info ${show(info)}, not an object`)];
}

/** Optional; if present, evaluation uses it to count successes. */
function taskKeyFindings({ taskKey }: Record<string, unknown>): Finding[] {
  if (taskKey === undefined || isTaskKey(taskKey)) return [];
  const wanted = `a text of 1 to ${MAX_TASK_KEY_LENGTH} characters`;
  return [error('TASK_KEY_INVALID', `\`reset\` returned info.taskKey ${show(taskKey)}, not ${wanted}`)];
}

export function resetFindings(result: unknown, env: AnyEnv): Finding[] {
  const missing = missingKeys(result, ['observation', 'info']);
  if (missing === undefined || missing.length > 0) {
    return [error('RESET_RESULT', `\`reset\` returned ${show(result)}, not { observation, info }`)];
  }
  const { observation, info } = result as Record<string, unknown>;
  const findings = infoFindings('reset', info);
  return [
    ...observationFindings('reset', observation, env.observationSpace),
    ...(findings.length > 0 ? findings : taskKeyFindings(info as Record<string, unknown>)),
  ];
}

export function stepFindings(result: unknown, env: AnyEnv): Finding[] {
  const missing = missingKeys(result, ['observation', 'reward', 'terminated', 'truncated', 'info']);
  if (missing === undefined || missing.length > 0) {
    const what = missing ? `an object without ${missing.join(', ')}` : show(result);
    return [
      error('STEP_RESULT', `\`step\` returned ${what}, not { observation, reward, terminated, truncated, info }`),
    ];
  }
  const { observation, reward, info, ...signals } = result as Record<string, unknown>;
  const findings = [...observationFindings('step', observation, env.observationSpace), ...infoFindings('step', info)];
  if (typeof reward !== 'number' || !Number.isFinite(reward)) {
    const value = typeof reward === 'number' ? String(reward) : show(reward);
    findings.push(error('REWARD_NOT_FINITE', `\`step\` returned the reward ${value}, not a finite number`));
  }
  for (const signal of ['terminated', 'truncated']) {
    if (typeof signals[signal] !== 'boolean') {
      findings.push(
        error('SIGNAL_NOT_BOOLEAN', `\`step\` returned ${signal}: ${show(signals[signal])}, not a boolean`),
      );
    }
  }
  return findings;
}

export function renderFindings(frame: unknown, mode: RenderMode | undefined, env: AnyEnv): Finding[] {
  if (mode === undefined) return [];
  const findings: Finding[] = [];
  if (!env.metadata.renderModes.includes(mode)) {
    findings.push(error('METADATA_INVALID', `renderMode '${mode}' is not in metadata.renderModes`));
  }
  const wanted = { rgb_array: 'a picture', ansi: 'a string', human: 'nothing' }[mode];
  const isWanted =
    mode === 'rgb_array' ? isImage(frame) : mode === 'ansi' ? typeof frame === 'string' : frame === undefined;
  if (!isWanted) {
    findings.push(error('RENDER_RESULT', `\`render\` returned ${show(frame)}; in mode '${mode}' it returns ${wanted}`));
  }
  return findings;
}

/** Spaces must have `contains` and `sample`. */
export function spaceFindings(env: AnyEnv): Finding[] {
  const spaces: readonly (readonly [name: string, space: Space])[] = [
    ['observationSpace', env.observationSpace],
    ['actionSpace', env.actionSpace],
  ];
  return spaces.flatMap(([name, space]) =>
    isRecord(space) && typeof space.contains === 'function' && typeof space.sample === 'function'
      ? []
      : [error('SPACE_INVALID', `${name} is ${show(space)}, not a space`)],
  );
}

/** For discrete action spaces; only the space knows other layouts. */
export function maskFindings(env: AnyEnv, mask: unknown): Finding[] {
  if (mask === undefined || env.actionSpace.type !== 'discrete') return [];
  const { n } = env.actionSpace as unknown as DiscreteSpace;
  const sound = mask instanceof Uint8Array && mask.length === n && mask.every((entry) => entry <= 1);
  if (!sound) return [error('MASK_INVALID', `\`actionMask\` returned ${show(mask)}, not ${n} bytes 0 or 1`)];
  return mask.includes(1) ? [] : [error('MASK_INVALID', '`actionMask` allows nothing before the episode has ended')];
}
