import { z } from 'zod';
import { defineCommand, UsageError } from '../command-line/command.js';
import { importEnvironments, importOption } from '../environments.js';
import { recordingsIn } from '../folders/recordings.js';
import { openBrowser } from '../play/open-browser.js';
import { pageOptions } from '../play/page-options.js';
import { PlayServer } from '../play/play-server.js';
import { RecordingTable } from '../play/recording-table.js';

export const watch = defineCommand({
  name: 'watch',
  summary: 'watch recorded episodes on a page, step by step',
  description:
    'Opens a page that plays the recorded episodes of a folder: pictures, thoughts, actions and rewards, forward and back. It needs neither the environment nor its data, and runs no code of the recording; --import makes your environment known. `vlgym play ENV --agent NAME` watches an agent live.',
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
    const table = await RecordingTable.open(await recordingsIn(path), episode);
    if (!table)
      throw new UsageError(`${path} holds no episode.`, { hint: 'record some: vlgym eval … --record FOLDER' });
    const closed = new AbortController();
    const server = new PlayServer(table, { port, onClosed: () => closed.abort() });
    const over = AbortSignal.any([signal, closed.signal]);
    try {
      const address = await server.listen();
      stdout.write(`${address}\n${table.length} episodes; closing the page or Ctrl-C ends.\n`);
      if (open) openBrowser(address);
      if (!over.aborted) await new Promise<void>((resolve) => over.addEventListener('abort', () => resolve()));
    } finally {
      await server.close();
    }
    return 0;
  },
});
