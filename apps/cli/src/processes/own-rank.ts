/** The group of this process, where a launcher started it: `vlgym train --procs N`, torchrun, srun. */
import { LauncherEnvironmentError, ProcessGroup, processGroupFromEnvironment } from '@vlgym/gpu';

/**
 * VLGYM_RANK_TIMEOUT: seconds of every call. VLGYM_RANK_BACKEND=nccl: gradients between CUDA devices (experimental).
 *
 * @returns `undefined` for a process on its own.
 * @throws {LauncherEnvironmentError} @throws {NcclUnavailableError} @throws {ProcessGroupError}
 */
export async function ownGroup(variables: NodeJS.ProcessEnv = process.env): Promise<ProcessGroup | undefined> {
  const options = processGroupFromEnvironment(variables);
  if (!options) return undefined;
  const { VLGYM_RANK_TIMEOUT, VLGYM_RANK_BACKEND = 'gloo' } = variables;
  if (VLGYM_RANK_BACKEND !== 'gloo' && VLGYM_RANK_BACKEND !== 'nccl') {
    throw new LauncherEnvironmentError('VLGYM_RANK_BACKEND', VLGYM_RANK_BACKEND, 'gloo or nccl');
  }
  const timeout = VLGYM_RANK_TIMEOUT === undefined ? undefined : Number(VLGYM_RANK_TIMEOUT);
  return ProcessGroup.connect({ ...options, backend: VLGYM_RANK_BACKEND, ...(timeout !== undefined && { timeout }) });
}
