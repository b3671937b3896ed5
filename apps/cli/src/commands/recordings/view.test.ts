/** `vlgym runs` and `vlgym view --export` on folders as runs leave them. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluate, oracleAgent } from '@vlgym/agents';
import { make } from '@vlgym/core';
import '@vlgym/points24';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CommandContext } from '../../command-line/command.js';
import { runs } from './runs.js';
import { view } from './view.js';

const home = mkdtempSync(join(tmpdir(), 'vlgym-view-'));
afterAll(() => rmSync(home, { recursive: true }));
const recorded = join(home, 'expert');
beforeAll(() =>
  evaluate({ env: () => make('vlgym/NumberLine-v1'), agent: oracleAgent(), episodes: 4, record: recorded }),
);

/** Output and exit code of a command. */
async function printed(command: { run(options: never, context: CommandContext): unknown }, options: object) {
  const said: string[] = [];
  const stdout = { write: (text: string) => said.push(text) > 0 } as unknown as NodeJS.WriteStream;
  const { signal } = new AbortController();
  const code = await command.run(options as never, { stdout, stderr: stdout, signal, given: {} } as never);
  return { code, text: said.join('') };
}

it('runs lists what is below a folder, also for scripts', async () => {
  const { text } = await printed(runs, { folders: [home], json: false });
  expect(text).toMatch(/expert +recorded +oracle +vlgym\/NumberLine-v1 +– +4 episodes +100 %/);
  const { text: json } = await printed(runs, { folders: [home], json: true });
  expect(JSON.parse(json)).toMatchObject([{ name: 'expert', kind: 'recording', episodes: 4, success: 1 }]);
  const { text: none } = await printed(runs, { folders: [home], json: false, state: 'running' });
  expect(none).toBe(`no run and no recording in ${home}\n`);
  await expect(printed(runs, { folders: ['prun'] })).rejects.toMatchObject({
    code: 'USAGE',
    hint: expect.stringMatching(/prune/),
  });
});

it('view writes one file', async () => {
  const file = join(home, 'expert.html');
  const options = { folders: [recorded], import: [], export: file, episodes: 3, megabytes: 5, port: 0, open: false };
  const { code, text } = await printed(view, options);
  expect([code, text]).toEqual([0, expect.stringMatching(/expert\.html: 3 episodes, 1 left out, 0\.\d MB/)]);
  const html = readFileSync(file, 'utf8');
  expect(html).toContain('data:image/png;base64,');
  expect(html).not.toMatch(/(?:src|href)="https?:/);
});

it('view refuses a folder that does not exist', async () => {
  await expect(printed(view, { folders: [join(home, 'none')], import: [] })).rejects.toMatchObject({ code: 'USAGE' });
});
