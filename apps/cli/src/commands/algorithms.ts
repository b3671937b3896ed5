import { registeredAlgorithms } from '@vlgym/rl';
import { z } from 'zod';
import { defineCommand } from '../command-line/command.js';
import { hyperparameterLines, hyperparametersOf } from '../experiment/settings/hyperparameters.js';
import { nameAlgorithms } from '../experiment/user-algorithms.js';
import { importOption } from '../imports.js';
import { table } from '../terminal/style.js';

export const algorithms = defineCommand({
  name: 'algorithms',
  summary: 'list algorithms; with a name, its hyperparameters',
  description:
    'Every algorithm that `train` and `bench` know, one line each. With a name or a file it lists the hyperparameters with their defaults and ranges. Defaults are those of the algorithm itself. A model and an environment may change those that depend on size and task: `vlgym train NAME --print-config` shows every value in force and where it comes from.',
  positional: 'algorithm',
  options: z.object({
    algorithm: z.string().optional().describe('name of an algorithm, or a file of yours'),
    ...importOption,
    json: z.boolean().default(false).describe('print JSON for scripts'),
  }),
  examples: [
    { command: 'vlgym algorithms', does: 'all of them' },
    { command: 'vlgym algorithms vl-dac', does: 'the hyperparameters of one' },
    { command: 'vlgym algorithms ./my-algorithm.ts --json', does: 'your own algorithms, for a script' },
  ],
  async run(options, { stdout }) {
    const { names } = await nameAlgorithms(options.algorithm === undefined ? [] : [options.algorithm], options.import);
    const [name] = names;
    if (name !== undefined) {
      const text = options.json
        ? JSON.stringify(hyperparametersOf(name), null, 2)
        : (await hyperparameterLines(name)).join('\n').trimEnd();
      stdout.write(`${text}\n`);
      return 0;
    }
    const all = Object.entries(registeredAlgorithms()).map(([each, { title, source = '' }]) => ({
      name: each,
      title,
      source,
    }));
    stdout.write(
      options.json
        ? `${JSON.stringify(all, null, 2)}\n`
        : `${table([['name', 'title', 'source'], ...all.map((each) => [each.name, each.title, each.source])])}\n`,
    );
    return 0;
  },
});
