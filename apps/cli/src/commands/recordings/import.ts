import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EPISODES_FILE, INDEX_FILE } from '@vlgym/core/internal';
import { z } from 'zod';
import { defineCommand, UsageError } from '../../command-line/command.js';
import { counted } from '../../terminal/style.js';
import { viewHint } from '../../terminal/view-hint.js';

export const importCommand = defineCommand({
  name: 'import',
  summary: 'logs of Inspect and traces of verifiers as a recording for `vlgym view`',
  description:
    'Reads a log of Inspect (.eval or .json) or traces.jsonl of verifiers and writes its episodes as a recording: messages, pictures, tool calls and scores. `vlgym view`, `watch` and `export` open it; it cannot be played again, because the environment belongs to another program.',
  positional: 'file',
  options: z.object({
    file: z.string().describe('a log of Inspect, or traces.jsonl'),
    out: z.string().describe('folder of the recording; it must not hold one'),
  }),
  examples: [
    { command: 'vlgym import logs/task.eval --out runs/task', does: 'a log of Inspect' },
    { command: 'vlgym import outputs/traces.jsonl --out runs/traces', does: 'traces of verifiers' },
  ],
  async run({ file, out }, { stdout }) {
    if (existsSync(join(out, EPISODES_FILE))) {
      throw new UsageError(`${out} holds a recording already.`, { hint: 'choose another folder with --out' });
    }
    if (!existsSync(file))
      throw new UsageError(`${file} does not exist.`, { expected: 'a log of Inspect, or traces.jsonl' });
    const { ImportWriter } = await import('../../import/conversation.js');
    const { readEpisodes } = await import('../../import/read-episodes.js');
    const isNew = !existsSync(out);
    const writer = await ImportWriter.open(out);
    try {
      try {
        for await (const episode of readEpisodes(file)) await writer.add(episode);
      } finally {
        await writer.close();
      }
      if (writer.count === 0) {
        throw new UsageError(`${file} holds no episode.`, {
          expected: 'a log of Inspect with samples, or traces.jsonl of verifiers',
        });
      }
    } catch (error) {
      // half a recording would stand in the way of the next import
      for (const path of isNew ? [out] : [EPISODES_FILE, INDEX_FILE].map((name) => join(out, name)))
        await rm(path, { recursive: true, force: true });
      throw error;
    }
    stdout.write(`${counted(writer.count, 'episode')}\n${viewHint(out)}\n`);
    return 0;
  },
});
