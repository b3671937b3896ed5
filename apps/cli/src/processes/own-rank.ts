/** The group of this process, where a launcher started it: `vlgym train --procs N`, torchrun, srun. */
import { ProcessGroup, processGroupFromEnvironment } from '@vlgym/gpu/distributed';

/**
 * @param nccl  Also opens a channel between CUDA devices.
 * @returns `undefined` for a process on its own.
 * @throws {LauncherEnvironmentError | ProcessGroupError | NcclUnavailableError}
 */
export async function ownGroup(
  { nccl = false } = {},
  variables: NodeJS.ProcessEnv = process.env,
): Promise<ProcessGroup | undefined> {
  const options = processGroupFromEnvironment(variables);
  if (!options) return undefined;
  const timeout = variables.VLGYM_RANK_TIMEOUT === undefined ? undefined : Number(variables.VLGYM_RANK_TIMEOUT);
  return ProcessGroup.connect({
    ...options,
    ...(nccl && { backend: 'nccl' }),
    ...(timeout !== undefined && { timeout }),
  });
}
