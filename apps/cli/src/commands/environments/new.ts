import { relative, resolve } from 'node:path';
import { z } from 'zod';
import { defineCommand, UsageError } from '../../command-line/command.js';
import { KINDS, writeTemplate } from '../../templates.js';

const NEXT = {
  env: 'npx vlgym envs --import ./index.js',
  agent: 'npx vlgym eval vlgym/EZPoints-v1 --agent ./index.js',
  algorithm: 'npx vlgym algorithms ./index.js',
} as const;

export const newCommand = defineCommand({
  name: 'new',
  summary: 'start your own environment, agent or algorithm',
  description:
    'Writes a small package that already works and tests itself: a picture with a question, an agent, or REINFORCE, each on one screen. Every command takes it by --import, --agent or --algorithm; nothing has to be registered anywhere else.',
  positional: 'what',
  options: z.object({
    what: z
      .array(z.string())
      .length(2, 'expected a kind and a name')
      .describe(`kind and name: ${KINDS.join(', ')}, then lowercase words joined by hyphens`),
    folder: z.string().optional().describe('where it is written, new or empty; default: the name'),
  }),
  examples: [
    { command: 'vlgym new env my-maze', does: 'an environment in ./my-maze' },
    { command: 'vlgym new agent my-agent', does: 'an agent' },
    { command: 'vlgym new algorithm my-reinforce --folder algorithms/reinforce', does: 'an algorithm, elsewhere' },
  ],
  async run({ what, folder: given }, { stdout }) {
    const [first, name = ''] = what;
    const kind = z.enum(KINDS).safeParse(first);
    if (!kind.success) {
      throw new UsageError(`Unknown kind ${JSON.stringify(first)}.`, { expected: `one of ${KINDS.join(', ')}` });
    }
    const folder = resolve(given ?? name);
    const files = await writeTemplate(kind.data, name, folder);
    const place = relative(process.cwd(), folder);
    stdout.write(`${files.map((file) => `${place}/${file}`).join('\n')}\n\n`);
    stdout.write(`cd ${place} && npm install && npm test\n${NEXT[kind.data]}\n`);
    return 0;
  },
});
