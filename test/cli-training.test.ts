/**
 * Training as a person starts, stops and resumes it, as small as it gets: the same processes, files and exit codes as in
 * an hour-long run. What the numbers should be is tested beside the algorithms.
 */
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { endAtMessage } from './support/self-ending.js';
import { vlgym } from './support/vlgym.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const SMALL = '--num-envs 4 --steps-per-update 16 --evaluation-episodes 4 --warm-start-examples 64'.split(' ');

let home = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-training-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** Metrics of every update but for those that time measures. */
async function metrics(folder: string): Promise<unknown[]> {
  const lines = (await readFile(join(folder, 'metrics.jsonl'), 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line, (key, value: unknown) => (key.startsWith('time/') ? undefined : value)));
}

describe('vlgym train', () => {
  const train = (folder: string) => [
    'train',
    'gtr-turbo-kl',
    ...SMALL,
    '--updates',
    '2',
    '--threads',
    '1',
    '--folder',
    folder,
  ];
  let straight = '';
  beforeAll(async () => {
    straight = join(home, 'straight');
    const { code, stdout, stderr } = await vlgym(train(straight));
    expect(stderr).toMatch(/warm start[\s\S]*training/);
    expect(stdout).toMatch(/GTR-Turbo \(KL\): greedy success .* on \d distinct tasks, never seen in training\n/);
    expect(stdout).toMatch(/ % on 2 distinct tasks of the warm start/);
    expect(stdout).toMatch(/^report .*straight\/report\.html$/m);
    expect(code).toBe(0);
  });

  it('leaves metrics, checkpoints and episodes that replay verifies', async () => {
    expect((await metrics(straight)).length).toBe(3); // before training, and after each update
    const { code, stdout } = await vlgym(['replay', join(straight, 'episodes')]);
    expect(stdout).toContain('4 of 4 episodes agree');
    expect(code).toBe(0);
  });

  it('leaves a report, the same page as of a comparison: curves, episodes before and after, the command', async () => {
    const report = await readFile(join(straight, 'report.html'), 'utf8');
    expect(report).toMatch(/<h1[^>]*>GTR-Turbo \(KL\) on EZPoints<\/h1>/);
    expect(report).toContain('vlgym train gtr-turbo-kl');
    const pages = Array.from(report.matchAll(/<a href="([^"]+episodes\.html|episodes\.html)">/g), ([, href]) => href!);
    expect(pages).toEqual(['start/episodes.html', 'episodes.html']);
    for (const page of pages) expect(existsSync(join(straight, page))).toBe(true);
  });

  it.each<['SIGINT' | 'SIGKILL', number | null]>([
    ['SIGINT', 130],
    ['SIGKILL', null],
  ])('goes on after %s as if nothing had happened', async (signal, exitCode) => {
    const folder = join(home, signal);
    await cp(join(straight, 'start'), join(folder, 'start'), { recursive: true });
    const stopped = await vlgym(train(folder), {
      env: endAtMessage('update', 2, signal), // the first tells of the evaluation before training
      onMessage: () => {},
    });
    expect(stopped.code).toBe(exitCode);
    if (signal === 'SIGINT') {
      expect(stopped.stderr).toContain(`continue with: vlgym ${train(folder).join(' ')} --resume`);
    }

    const refused = await vlgym(train(folder));
    expect(refused.stderr).toMatch(/^FOLDER_IN_USE/m);
    expect(refused.code).toBe(1);

    const resumed = await vlgym([...train(folder), '--resume']);
    expect(resumed.code).toBe(0);
    expect(await metrics(folder)).toEqual(await metrics(straight));
  });
});
