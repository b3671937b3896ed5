/** The launcher's variables, as torchrun sets them. */
import { describe, expect, it } from 'vitest';
import { processGroupFromEnvironment } from './environment.js';

const own = { RANK: '1', WORLD_SIZE: '2', MASTER_ADDR: '127.0.0.1', MASTER_PORT: '29500' };
const torchrun = {
  ...own,
  TORCHELASTIC_RUN_ID: 'night',
  TORCHELASTIC_RESTART_COUNT: '3',
  TORCHELASTIC_USE_AGENT_STORE: 'True',
};

describe('processGroupFromEnvironment', () => {
  it.each([{}, { WORLD_SIZE: '1', RANK: '0' }])('is undefined for a single process: %o', (variables) => {
    expect(processGroupFromEnvironment(variables)).toBeUndefined();
  });

  it.each([
    [own, { rank: 1, size: 2, host: '127.0.0.1', port: 29500, hostsStore: true, name: 'run/0' }],
    [torchrun, { rank: 1, size: 2, host: '127.0.0.1', port: 29500, hostsStore: false, name: 'night/3' }],
    // torchrun means a store of its agent by exactly `True`
    [{ ...torchrun, TORCHELASTIC_USE_AGENT_STORE: 'true' }, expect.objectContaining({ hostsStore: true })],
  ])('reads %o', (variables, options) => {
    expect(processGroupFromEnvironment(variables)).toEqual(options);
  });

  it('takes the number of the process on its machine as that of its CUDA device', () => {
    expect(processGroupFromEnvironment({ ...torchrun, LOCAL_RANK: '1' })).toMatchObject({ device: 1 });
    expect(() => processGroupFromEnvironment({ ...torchrun, LOCAL_RANK: 'one' })).toThrow(/LOCAL_RANK/);
  });

  it.each([
    ['RANK', undefined],
    ['RANK', '2'],
    ['RANK', '-1'],
    ['WORLD_SIZE', 'two'],
    ['WORLD_SIZE', '1.5'],
    ['MASTER_ADDR', ''],
    ['MASTER_PORT', '0'],
    ['MASTER_PORT', '65536'],
  ])('refuses %s=%s and names it', (name, value) => {
    expect(() => processGroupFromEnvironment({ ...own, [name]: value })).toThrow(
      expect.objectContaining({ code: 'LAUNCHER_ENVIRONMENT', message: expect.stringContaining(name) }),
    );
  });
});
