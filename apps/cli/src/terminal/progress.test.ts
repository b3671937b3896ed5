import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunPlan } from '../experiment/spec.js';
import { Progress } from './progress.js';
import { ProgressFile, readProgress, secondsLeft } from './progress-file.js';
import { TrainingProgress } from './training-progress.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-progress-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const screen = () => {
  const lines: string[] = [];
  return { lines, stream: { isTTY: true, write: (text: string) => lines.push(text) > 0 } as never };
};

describe('a resumed benchmark', () => {
  const plan = (seed: number) => ({ env: 'test/A-v0', algorithm: 'vl-dac', seed }) as RunPlan;

  it('starts where it was stopped and ends at 100 % (it started at 0 % and ended at 44 %)', () => {
    const { lines, stream } = screen();
    const [finished, begun, fresh] = [plan(0), plan(1), plan(2)];
    const done = new Map([[finished, 10], [begun, 5], [fresh, 0]]); // biome-ignore format: three runs
    const progress = new TrainingProgress(30, done, false, stream);
    expect(lines[0]).toContain(' 50 %');
    progress.listen(begun, { type: 'update', update: 10, updates: 10, steps: 0 });
    progress.listen(fresh, { type: 'update', update: 10, updates: 10, steps: 0 });
    progress.end();
    expect(lines.at(-1)).toContain('100 %');
  });
});

describe('progress', () => {
  it('leaves no line behind an error before the first unit, and its last one behind a later error', () => {
    const [early, late] = [screen(), screen()];
    new Progress({ label: 'judge', total: 0, unit: 'answers', stream: early.stream }).fail();
    expect(early.lines.at(-1)).toBe('\r\x1b[2K');
    const progress = new Progress({ label: 'judge', total: 4, unit: 'answers', stream: late.stream });
    progress.update(2);
    progress.fail();
    expect(late.lines.at(-1)).toContain(' 50 %');
  });

  it('counts what was done before as done, and not for the rate', () => {
    const progress = new Progress({
      label: 'training',
      total: 100,
      unit: 'updates',
      initial: 90,
      stream: screen().stream,
    });
    expect(progress.now).toMatchObject({ done: 90, rate: 0 });
    progress.update(95);
    const { done, rate } = progress.now;
    expect({ done, left: secondsLeft({ done, total: 100, rate }) * rate }).toEqual({
      done: 95,
      left: expect.closeTo(5),
    });
  });

  it('is read from another process as it is shown in this one', async () => {
    const file = new ProgressFile(folder, 'vlgym bench');
    const progress = new Progress({ label: 'training', total: 4, unit: 'updates', file, stream: screen().stream });
    progress.update(4, 'last');
    progress.end();
    await file.close();
    const found = await readProgress(folder);
    expect(found).toMatchObject({ running: true, saved: { done: 4, total: 4, note: 'last', command: 'vlgym bench' } });
    expect(await readProgress(join(folder, 'none'))).toBeUndefined();
  });
});
