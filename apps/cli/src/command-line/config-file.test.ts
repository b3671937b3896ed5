import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readConfig } from './config-file.js';

const home = mkdtempSync(join(tmpdir(), 'vlgym-config-'));
afterAll(() => rmSync(home, { recursive: true }));

it('is YAML or JSON', () => {
  writeFileSync(join(home, 'own.yaml'), 'loss.clipLow: 0.2\nseeds: [1, 2]');
  expect(readConfig(join(home, 'own.yaml'))).toEqual({ 'loss.clipLow': 0.2, seeds: [1, 2] });
});

it('is a file with an end: a pipe without a writer, a device or a large one is refused at once', () => {
  execFileSync('mkfifo', [join(home, 'pipe')]);
  writeFileSync(join(home, 'large.yaml'), `a: ${'x'.repeat(2 ** 20)}`);
  for (const path of [join(home, 'pipe'), '/dev/zero', join(home, 'large.yaml'), join(home, 'none'), home])
    expect(() => readConfig(path), path).toThrow(expect.objectContaining({ code: 'USAGE' }));
});
