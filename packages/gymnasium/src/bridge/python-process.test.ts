/** A Python that is slow, and a program that is: a script stands for the interpreter. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PROTOCOL } from '../frames/codec.js';
import { PythonProcess } from './python-process.js';

const folder = mkdtempSync(join(tmpdir(), 'vlgym-process-'));
afterAll(() => rmSync(folder, { recursive: true }));

const interpreter = join(folder, 'python');
/** Exists once the answer to the step is written. */
const answered = join(folder, 'answered');
writeFileSync(
  interpreter,
  `#!/usr/bin/env node
  const { writeFileSync, writeSync } = require('node:fs');
  let bytes = Buffer.alloc(0);
  process.stdin.on('data', (piece) => {
    bytes = Buffer.concat([bytes, piece]);
    while (bytes.length >= 8 && bytes.length >= 8 + bytes.readUInt32LE(0)) {
      const length = bytes.readUInt32LE(0);
      const { op } = JSON.parse(bytes.subarray(8, 8 + length));
      bytes = bytes.subarray(8 + length);
      if (op === 'sleep') continue;
      const answer = Buffer.from(JSON.stringify({ ok: true, protocol: '${PROTOCOL}', op }));
      const head = Buffer.alloc(8);
      head.writeUInt32LE(answer.length, 0);
      writeSync(1, Buffer.concat([head, answer]));
      if (op === 'step') writeFileSync(${JSON.stringify(answered)}, '');
    }
  });
`,
  { mode: 0o755 },
);

describe.skipIf(process.platform === 'win32')('the limit of an answer', () => {
  it('counts an answer that came while the program itself was busy until the limit was over', async () => {
    const python = await PythonProcess.start(interpreter);
    const answer = python.ask({ op: 'step' }, 20);
    const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    do pause();
    while (!existsSync(answered));
    expect(await answer).toMatchObject({ op: 'step' });
    await python.close();
  });

  it('ends a Python that does not answer', async () => {
    const python = await PythonProcess.start(interpreter);
    await expect(python.ask({ op: 'sleep' }, 20)).rejects.toThrow('No answer to "sleep" within 20 ms.');
    expect(python.isAlive).toBe(false);
    await python.close();
  });
});
