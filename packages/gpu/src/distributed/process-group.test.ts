/** A group of one process: every call works, and what must be refused is. Several: `test/algos-ranks.long.test.ts`. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { native } from '../native/load.js';
import { ones } from '../tensor/creation.js';
import { ProcessGroup } from './process-group.js';

let group: ProcessGroup;
let port: number;

/** A port that is free now; until the group opens it, another program may take it. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function connected(triesLeft = 2): Promise<ProcessGroup> {
  port = await freePort();
  try {
    return await ProcessGroup.connect({ rank: 0, size: 1, host: '127.0.0.1', port, timeout: 20 });
  } catch (error) {
    if (triesLeft === 0) throw error;
    return connected(triesLeft - 1);
  }
}

beforeAll(async () => {
  group = await connected();
});
afterAll(() => group.close());

describe('ProcessGroup', () => {
  it('sums, broadcasts and gathers', async () => {
    const x = ones([2], { device: 'cpu' });
    await group.allReduce(x);
    await group.broadcast(x);
    await group.barrier();
    expect(x.toNumbers()).toEqual([1, 1]);
    const value = { text: 'é', list: [1, null], array: Float32Array.of(0.5) };
    expect(await group.gather(value)).toEqual([value]);
    x.dispose();
  });

  it.skipIf(process.platform !== 'linux')('opens no port beyond this machine where the host is 127.0.0.1', () => {
    const listening = readFileSync('/proc/net/tcp', 'utf8') + readFileSync('/proc/net/tcp6', 'utf8');
    const hex = port.toString(16).toUpperCase().padStart(4, '0');
    const addresses = [...listening.matchAll(new RegExp(`: ([0-9A-F]+):${hex} [0-9A-F:]+ 0A `, 'g'))];
    expect(addresses.map(([, address]) => address)).toEqual(['0100007F']);
  });

  it('refuses a root that is not a rank', () => {
    expect(() => group.broadcast(ones([1]), 1)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  });

  it.each([
    [{ port: 0 }, 'BAD_ARGUMENT'],
    [{ rank: 2 }, 'BAD_ARGUMENT'],
    [{ size: 0 }, 'BAD_ARGUMENT'],
    [{ timeout: 0 }, 'BAD_ARGUMENT'],
  ])('refuses %o', async (options, code) => {
    const all = { rank: 0, size: 1, host: '127.0.0.1', port, ...options };
    await expect(ProcessGroup.connect(all)).rejects.toMatchObject({ code });
  });

  it.skipIf(native().ncclProblem() === '')('refuses NCCL where it cannot be used, and says why', async () => {
    const asked = ProcessGroup.connect({ rank: 0, size: 1, host: '127.0.0.1', port, name: 'nccl/0', backend: 'nccl' });
    await expect(asked).rejects.toMatchObject({
      code: 'NCCL_UNAVAILABLE',
      message: expect.stringMatching(/CUDA|libnccl/),
    });
  });

  it('says that a rank is missing when the time is over', async () => {
    const waiting = ProcessGroup.connect({
      rank: 0,
      size: 2,
      host: '127.0.0.1',
      port,
      name: 'other/0',
      hostsStore: false,
      timeout: 1,
    });
    await expect(waiting).rejects.toMatchObject({ code: 'PROCESS_GROUP_FAILED' });
  });

  it('cannot be used after its end', async () => {
    const other = await ProcessGroup.connect({
      rank: 0,
      size: 1,
      host: '127.0.0.1',
      port,
      name: 'third/0',
      hostsStore: false,
    });
    await other.close();
    await expect(other.barrier()).rejects.toMatchObject({ code: 'PROCESS_GROUP_FAILED' });
  });
});
