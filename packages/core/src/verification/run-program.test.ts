import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runProgram } from './run-program.js';

it('reports each line, and everything with the exit code', async () => {
  const lines: string[] = [];
  const script = "console.log('one'); console.log('two'); process.exitCode = 3";
  const ran = await runProgram(process.execPath, ['-e', script], { onLine: (line) => lines.push(line) });
  expect(ran).toEqual({ code: 3, log: 'one\ntwo\n' });
  expect(lines).toEqual(['one', 'two']);
});

it('says why a program could not be started', async () => {
  expect(await runProgram('/no/such/program', [], {})).toMatchObject({
    code: -1,
    log: expect.stringMatching(/ENOENT/),
  });
});

it('starts nothing under an aborted signal, and ends what runs when it aborts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vlgym-run-'));
  const mark = join(folder, 'mark');
  const args = [
    '-e',
    `require('node:fs').writeFileSync(${JSON.stringify(mark)}, ''); console.log('up'); setInterval(() => {}, 1e6)`,
  ];
  const aborted = AbortSignal.abort(new Error('stopped'));
  await expect(runProgram(process.execPath, args, { signal: aborted })).rejects.toThrow('stopped');
  expect(existsSync(mark)).toBe(false);
  const controller = new AbortController();
  const run = runProgram(process.execPath, args, {
    signal: controller.signal,
    onLine: () => controller.abort(new Error('stopped')),
  });
  await expect(run).rejects.toThrow('stopped');
  await rm(folder, { recursive: true });
});
