import { basename, dirname } from 'node:path';
import { EPISODES_FILE } from '@vlgym/core/internal';
import { z } from 'zod';
import { defineCommand, UsageError } from '../../command-line/command.js';
import { importEnvironments, importOption } from '../../environments.js';
import { recordingsIn } from '../../folders/recordings.js';
import { openBrowser } from '../../play/open-browser.js';
import { pageOptions } from '../../play/page-options.js';

export const watch = defineCommand({
  name: 'watch',
  summary: 'watch recorded episodes on a page, step by step',
  description:
    'Opens the player of `vlgym view` at a recorded episode: pictures, thoughts, actions, tools, rewards and tokens, forward and back. It needs neither the environment nor its data, and runs no code of the recording; to play an episode again, --import makes your environment known. `vlgym play ENV --agent NAME` watches an agent live.',
  positional: 'path',
  options: z.object({
    path: z.string().describe('a run, a recording, a suite, or an episodes.jsonl'),
    ...importOption,
    episode: z.number().int().nonnegative().default(0).describe('number of the first episode, counted from 0'),
    ...pageOptions,
  }),
  examples: [
    { command: 'vlgym watch runs/quickstart/vl-dac-0', does: 'the final episodes of a run' },
    { command: 'vlgym watch runs/expert --episode 3', does: 'what `vlgym eval --record runs/expert` kept' },
  ],
  async run({ path, import: imported, episode, port, open }, { stdout, signal }) {
    await importEnvironments(imported);
    const folders = (await recordingsIn(path)).map(folderOf);
    const { listRuns, view } = await import('@vlgym/viewer');
    const { runs } = await listRuns(folders);
    const count = runs.reduce((sum, { episodes = 0 }) => sum + episodes, 0);
    if (count === 0)
      throw new UsageError(`${path} holds no episode.`, { hint: 'record some: vlgym eval … --record FOLDER' });
    const viewing = await view({ folders, port, episode });
    try {
      stdout.write(`${viewing.address}\n${count} episodes; Ctrl-C ends.\n`);
      if (open) openBrowser(viewing.address);
      if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    } finally {
      await viewing.close();
    }
    return 0;
  },
});

/** The page reads folders. @throws {UsageError} Another file than a recording. */
function folderOf(path: string): string {
  if (!/\.(?:jsonl|parquet)$/.test(path)) return path;
  if (basename(path) === EPISODES_FILE) return dirname(path);
  throw new UsageError(`${path} is not a recording.`, {
    expected: `a run, a recording, a suite, or an ${EPISODES_FILE}`,
    hint: 'vlgym eval … --record FOLDER writes one',
  });
}
