import { z } from 'zod';
import { knownAgents } from '../agents.js';
import { defineCommand } from '../command-line/command.js';
import { table } from '../terminal/style.js';

export const agents = defineCommand({
  name: 'agents',
  summary: 'list agents, and how to bring your own',
  description:
    'Every agent that `eval` and `play` know, one line each, with the options it needs. Your own agent is a file whose default export has a name and act(context); `vlgym new agent NAME` starts one. A model of any AI SDK provider plays through modelAgent of @vlgym/agents in such a file.',
  options: z.object({ json: z.boolean().default(false).describe('print JSON for scripts') }),
  examples: [
    { command: 'vlgym agents', does: 'all of them' },
    { command: 'vlgym agents --json', does: 'for a script' },
  ],
  async run({ json }, { stdout }) {
    const rows = knownAgents.map(({ name, summary, needs = '' }) => [name, summary, needs]);
    stdout.write(
      json ? `${JSON.stringify(knownAgents, null, 2)}\n` : `${table([['agent', 'plays', 'needs'], ...rows])}\n`,
    );
    return 0;
  },
});
