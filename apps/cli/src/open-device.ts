/** The device that `--device` names, if it is there. */
import { GymError } from '@vlgym/core';
import { cuda, libtorchVersion } from '@vlgym/gpu';
import { processGroupFromEnvironment } from '@vlgym/gpu/distributed';

class DeviceNotFoundError extends GymError {
  constructor(device: string, count: number) {
    super(`Unknown device "${device}": libtorch ${libtorchVersion()} finds ${count} CUDA devices.`, {
      code: 'DEVICE_NOT_FOUND',
      value: device,
      expected: count === 0 ? 'cpu' : `cpu, or cuda:0 to cuda:${count - 1}`,
      hint: 'CUDA needs a libtorch built for it: `LIBTORCH=FOLDER npx vlgym setup`; `npx vlgym doctor` says which one is used',
    });
  }
}

/**
 * @param named  `cpu`, `cuda` or `cuda:N`. `cuda` is the device of the local rank in a run of several processes, otherwise
 *               the first.
 * @throws {DeviceNotFoundError} `DEVICE_NOT_FOUND`
 */
export function openDevice(named = 'cpu', variables: NodeJS.ProcessEnv = process.env): string {
  if (named === 'cpu') return named;
  const index =
    named === 'cuda' ? (processGroupFromEnvironment(variables)?.device ?? 0) : Number(named.slice('cuda:'.length));
  const count = cuda.deviceCount();
  if (index >= count) throw new DeviceNotFoundError(named, count);
  return `cuda:${index}`;
}
