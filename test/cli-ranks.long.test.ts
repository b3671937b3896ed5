/** `vlgym train --procs 2`: one run in two processes, one of which is killed. */
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { endRankAtFile } from './support/self-ending.js';
import { vlgym } from './support/vlgym.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const SMALL = '--num-envs 4 --steps-per-update 16 --evaluation-episodes 4 --warm-start-examples 64'.split(' ');
const train = (folder: string) => ['train', 'vl-dac', ...SMALL, '--updates', '4', '--procs', '2', '--folder', folder];

let home = '';
let straight = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-cli-ranks-'));
  straight = join(home, 'straight');
  const { code, stdout, stderr } = await vlgym(train(straight));
  expect(code, stderr).toBe(0);
  expect(stdout.match(/greedy success/g)).toHaveLength(1);
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** Metrics of every update but for those that time measures. */
async function metrics(folder: string): Promise<unknown[]> {
  const lines = (await readFile(join(folder, 'metrics.jsonl'), 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line, (key, value: unknown) => (key.startsWith('time/') ? undefined : value)));
}

describe('vlgym train --procs 2', () => {
  it('is one run: one log, one result', async () => {
    expect(await metrics(straight)).toHaveLength(5); // before training, and after each update
    expect(existsSync(join(straight, 'result.json'))).toBe(true);
    expect(JSON.parse(await readFile(join(straight, 'run.json'), 'utf8'))).toMatchObject({ effective: { procs: 2 } });
  });

  it('ends with 75 when a rank is killed, and --resume continues it', async () => {
    const folder = join(home, 'killed');
    await mkdir(folder);
    await cp(join(straight, 'start'), join(folder, 'start'), { recursive: true });
    // the first checkpoint is complete
    const env = endRankAtFile(1, join(folder, 'latest'), 'SIGKILL');
    const { code, stderr } = await vlgym(train(folder), { env });
    expect(code, stderr).toBe(75);
    expect(stderr).toContain(`continue with: vlgym ${train(folder).join(' ')} --resume`);
    const resumed = await vlgym([...train(folder), '--resume']);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(await metrics(folder)).toEqual(await metrics(straight));
  });

  it('says once what is wrong with an option', async () => {
    const { code, stderr } = await vlgym([...train(join(home, 'wrong')), '--updates', 'many']);
    expect(code).toBe(2);
    expect(stderr.match(/--updates/g)).toHaveLength(1);
  });
});
