import { cuda } from '@vlgym/gpu';
import { describe, expect, it, vi } from 'vitest';
import { agentOptions } from './agents.js';
import { openDevice } from './open-device.js';

const ranks = { WORLD_SIZE: '2', RANK: '1', LOCAL_RANK: '1', MASTER_ADDR: '127.0.0.1', MASTER_PORT: '29500' };

describe('--device', () => {
  it('is the CPU by default', () => {
    expect(openDevice()).toBe('cpu');
    expect(openDevice('cpu', ranks)).toBe('cpu');
  });

  it.skipIf(cuda.deviceCount() > 90)('that is not there is named with what is', () => {
    expect(() => openDevice('cuda:90')).toThrow(
      expect.objectContaining({ code: 'DEVICE_NOT_FOUND', value: 'cuda:90', expected: expect.stringMatching(/^cpu/) }),
    );
  });

  it('is one for each local rank, or the one of that number', () => {
    vi.spyOn(cuda, 'deviceCount').mockReturnValue(2); // a machine with two
    expect(openDevice('cuda', {})).toBe('cuda:0');
    expect(openDevice('cuda', ranks)).toBe('cuda:1');
    expect(openDevice('cuda:0', ranks)).toBe('cuda:0');
    expect(() => openDevice('cuda:2', {})).toThrow(expect.objectContaining({ expected: 'cpu, or cuda:0 to cuda:1' }));
    vi.restoreAllMocks();
  });

  it.each(['gpu', 'cuda:', 'cuda:-1', 'CUDA', 'cuda:1,2'])('refuses %s', (name) => {
    expect(agentOptions.device.safeParse(name).success).toBe(false);
  });
});
