/** `vlgym replay` on recordings of others: damaged, hostile, or torn. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluate, oracleAgent } from '@vlgym/agents';
import { make } from '@vlgym/core';
import '@vlgym/points24';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { replayCommand } from './replay.js';

const home = mkdtempSync(join(tmpdir(), 'vlgym-replay-command-'));
afterAll(() => rmSync(home, { recursive: true }));
const file = join(home, 'episodes.jsonl');
let recorded = '';
beforeAll(async () => {
  await evaluate({ env: () => make('vlgym/NumberLine-v1'), agent: oracleAgent(), episodes: 3, record: home });
  recorded = readFileSync(file, 'utf8');
});
beforeEach(() => writeFileSync(file, recorded));

/** Output and exit code of the command. */
async function replayed(options: object = {}) {
  const said: string[] = [];
  const stdout = { write: (text: string) => said.push(text) > 0 } as unknown as NodeJS.WriteStream;
  const { signal } = new AbortController();
  const given = { path: home, show: false, import: [], ...options };
  const code = await replayCommand.run(given as never, { stdout, stderr: stdout, signal, given: {} } as never);
  return { code, text: said.join('') };
}

it('goes on after an episode that cannot be played, and fails at the end', async () => {
  writeFileSync(file, recorded.replace('"module":"@vlgym/points24"', '"options":{"python":"sh"}'));
  const { code, text } = await replayed();
  expect(code).toBe(1);
  expect(text).toMatch(/✗ \S+ {2}UNTRUSTED_SPEC\nUNTRUSTED_SPEC .*`options\.python`.*\n {2}hint: /);
  expect(text.match(/✓/g)).toHaveLength(2);
  expect(text).toContain('2 of 3 episodes agree');
});

it('says that the end of a file is torn', async () => {
  appendFileSync(file, '{"event":"start","traj');
  const { code, text } = await replayed();
  expect(code).toBe(0);
  expect(text).toMatch(/^TRAJECTORY_INVALID .*torn/m);
  expect(text).toContain('3 of 3 episodes agree');
});

it('names an invented outcome', async () => {
  writeFileSync(file, recorded.replace(/"return":[^,}]+/, '"return":1000'));
  const { code, text } = await replayed();
  expect(code).toBe(1);
  expect(text).toMatch(/✗ \S+ {2}outcome: return was 1000, is /);
});

it('prints a bounded text of a file, and nothing in it that a terminal would obey', async () => {
  const hostile = `\\u009b31m\\u202e${'x'.repeat(5000)}`;
  writeFileSync(
    file,
    recorded
      .replaceAll(/"action":(?:"[^"]*"|-?\d+)/g, `"action":"${hostile}"`)
      .replaceAll(/"actionText":"[^"]*",/g, ''),
  );
  const { code, text } = await replayed({ show: true });
  expect(code).toBe(1);
  expect(text).toContain('31m xxx');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
  expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  expect(text).not.toContain('x'.repeat(200));
});
