/**
 * Which process of a group this one is, from the variables that torchrun sets; `vlgym train --procs N` sets the same.
 *
 * https://docs.pytorch.org/docs/stable/elastic/run.html, "Environment Variables"
 */
import { GymError } from '@vlgym/core';
import type { ProcessGroupOptions } from './process-group.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** A variable of the launcher is missing or invalid. */
export class LauncherEnvironmentError extends GymError {
  constructor(variable: string, value: string | undefined, expected: string) {
    super(value === undefined ? `${variable} is not set.` : `Invalid ${variable}: "${value}".`, {
      code: 'LAUNCHER_ENVIRONMENT',
      value,
      expected,
      hint: 'start the processes with `vlgym train --procs N` or torchrun, or set RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT',
    });
  }
}

/**
 * `undefined` for a process that no launcher started: `WORLD_SIZE` is absent or 1.
 *
 * @throws {LauncherEnvironmentError} `LAUNCHER_ENVIRONMENT`: another variable is missing or invalid.
 */
export function processGroupFromEnvironment(variables: Variables = process.env): ProcessGroupOptions | undefined {
  const { WORLD_SIZE, MASTER_ADDR, TORCHELASTIC_RUN_ID = 'run', TORCHELASTIC_RESTART_COUNT = '0' } = variables;
  if (WORLD_SIZE === undefined || WORLD_SIZE === '1') return undefined;
  const size = wholeNumber(variables, 'WORLD_SIZE', 1, 65_536);
  if (!MASTER_ADDR) throw new LauncherEnvironmentError('MASTER_ADDR', MASTER_ADDR, 'a host name or address');
  return {
    size,
    rank: wholeNumber(variables, 'RANK', 0, size - 1),
    host: MASTER_ADDR,
    port: wholeNumber(variables, 'MASTER_PORT', 1, 65_535),
    // torchrun's agent has the store already: then every rank is a client
    hostsStore: variables.TORCHELASTIC_USE_AGENT_STORE !== 'True',
    name: `${TORCHELASTIC_RUN_ID}/${TORCHELASTIC_RESTART_COUNT}`,
    ...(variables.LOCAL_RANK !== undefined && { device: wholeNumber(variables, 'LOCAL_RANK', 0, size - 1) }),
  };
}

function wholeNumber(variables: Variables, name: string, least: number, most: number): number {
  const text = variables[name];
  const value = Number(text);
  if (text === undefined || !/^\d+$/.test(text) || value < least || value > most) {
    throw new LauncherEnvironmentError(name, text, `a whole number from ${least} to ${most}`);
  }
  return value;
}
