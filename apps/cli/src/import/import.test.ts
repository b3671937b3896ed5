/** Logs of Inspect and traces of verifiers as recordings that are read and listed like ours. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oracleAgent } from '@vlgym/agents';
import { toDataUrl } from '@vlgym/core/images';
import { readTrajectories, type Trajectory } from '@vlgym/core/trajectory';
import { listRuns } from '@vlgym/viewer';
import { afterAll, expect, it } from 'vitest';
import { playInto } from '../../../viewer/test-support/make-run.js';
import { type CommandContext, parseOptions } from '../command-line/command.js';
import { importCommand } from '../commands/recordings/import.js';
import { exportInspect } from '../export/inspect.js';

const home = mkdtempSync(join(tmpdir(), 'vlgym-import-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function imported(file: string, name: string): Promise<Trajectory[]> {
  const out = join(home, name);
  const context = { stdout: { write: () => true }, signal: new AbortController().signal };
  await importCommand.run(
    parseOptions(importCommand, [file, '--out', out]) as never,
    context as unknown as CommandContext,
  );
  const found: Trajectory[] = [];
  for await (const trajectory of readTrajectories(out)) found.push(trajectory);
  expect((await listRuns([out])).runs).toMatchObject([{ state: 'recorded', episodes: found.length }]);
  return found;
}

it.each(['eval', 'json'])('a log of Inspect (.%s) gives back what was exported', async (ending) => {
  const played = join(home, `played-${ending}`);
  await playInto(played, oracleAgent(), [0, 1]);
  const file = join(home, `log.${ending}`);
  await exportInspect([played], { folder: played, out: file, pictureBytes: 1e8 });
  const before: Trajectory[] = [];
  for await (const trajectory of readTrajectories(played)) before.push(trajectory);
  const after = await imported(file, `imported-${ending}`);
  const facts = (all: readonly Trajectory[]) =>
    all.map(({ steps, outcome }) => ({
      responses: steps.map(({ response }) => response),
      pictures: steps.map(({ prompt = [] }) => JSON.stringify(prompt).match(/sha256:[0-9a-f]{64}/g)),
      ...{ success: outcome.success, return: outcome.return, length: outcome.length },
    }));
  expect(facts(after)).toEqual(facts(before));
});

it('traces of verifiers follow the branch that came last, with tool calls and rewards', async () => {
  const picture = { data: new Uint8Array(12), height: 2, width: 2, channels: 3 } as const;
  const message = (role: string, content: unknown, more: object = {}) => ({ role, content, ...more });
  const call = { id: 'c1', type: 'function', name: 'look', arguments: '{"at":1}' };
  const nodes = [
    { parent: null, message: message('user', [{ type: 'image_url', image_url: { url: toDataUrl(picture) } }]) },
    { parent: 0, message: message('assistant', 'abandoned') },
    { parent: 0, message: message('assistant', 'I look.', { tool_calls: [call], reasoning_content: 'why' }) },
    { parent: 2, message: message('tool', 'a wall', { tool_call_id: 'c1' }) },
    { parent: 3, message: message('assistant', 'left') },
  ];
  const trace = { id: 't1', nodes, rewards: { solved: { score: 0.5, weight: 2 } }, agent: { name: 'me' }, errors: [] };
  const row = { env: { id: 'my-env' }, traces: [trace, { ...trace, errors: [{ type: 'Timeout', message: 'late' }] }] };
  const file = join(home, 'traces.jsonl');
  writeFileSync(file, `${JSON.stringify(row)}\n{"torn`);
  const [first, second] = await imported(file, 'traces');
  expect(first).toMatchObject({
    ...{ id: 't1', env: { id: 'my-env' }, agent: { name: 'me' } },
    steps: [
      { response: 'I look.', reasoning: 'why', toolCalls: [{ name: 'look', output: 'a wall' }] },
      { response: 'left', reward: 1 },
    ],
    outcome: { return: 1, success: true, endedBy: 'terminated' },
  });
  expect(second).toMatchObject({ id: 't1~2', outcome: { endedBy: 'error' } });
});

it('another file is refused with what is read, and leaves nothing behind', async () => {
  const file = join(home, 'log.eval');
  writeFileSync(file, 'not a zip');
  await expect(imported(file, 'none')).rejects.toThrow(/cannot be imported/);
  const other = join(home, 'package.json');
  writeFileSync(other, '{"name":"no log"}');
  await expect(imported(other, 'none')).rejects.toThrow(/holds no episode/);
  expect(existsSync(join(home, 'none'))).toBe(false);
});
