/** A small disk that fills up in the middle of a run: a typed error, and the run goes on when there is room again. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Attack, Finding } from '../attack.js';
import { type ChildResult, runChild } from '../support/child.js';
import { EPISODES, resumedEvaluation } from '../support/evaluation-check.js';
import { resumedTraining, UPDATES } from '../support/training-check.js';

const mount = (...args: string[]) => execFileSync('mount', args, { stdio: 'pipe' });

export const fullDisk: Attack = {
  name: 'full-disk',
  about: 'runs on a tmpfs of 16 to 300 KiB that fills up, then goes on with room',
  unavailable: () =>
    process.platform === 'linux' && process.getuid?.() === 0 ? undefined : 'mounting a small disk needs root on Linux',
  async run({ index, rng, folder }) {
    const disk = join(folder, 'disk');
    const run = join(disk, 'run');
    const size = rng.integers(4, 76) * 4;
    const [child, length] = index % 2 === 0 ? (['evaluate', EPISODES] as const) : (['train', UPDATES] as const);
    mkdirSync(disk);
    mount('-t', 'tmpfs', '-o', `size=${size}k`, 'tmpfs', disk);
    try {
      const first = await runChild(child, { args: [run, length] });
      mount('-o', 'remount,size=64m', disk);
      const story = `${child} on a disk of ${size} KiB`;
      const findings: Finding[] = [...untyped(first, story)];
      findings.push(...(await (child === 'evaluate' ? resumedEvaluation : resumedTraining)(run, story)));
      return { counts: { runs: 1, 'full disks': first.code === 0 ? 0 : 1 }, findings };
    } finally {
      execFileSync('umount', ['--lazy', disk]);
    }
  },
};

/** A failure says a code and what to do; an uncaught error is printed with its fields. */
export function untyped({ code, stderr, timedOut }: ChildResult, story: string): Finding[] {
  const detail = `${story}\n${stderr}`;
  if (timedOut) return [{ title: 'a run hangs', detail }];
  return code === 0 || /code: '[A-Z_]{4,}'/.test(stderr) ? [] : [{ title: 'a run ends with an untyped error', detail }];
}
