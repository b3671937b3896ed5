import { setup } from '@vlgym/gpu/setup';
import { z } from 'zod';
import { defineCommand } from '../../command-line/command.js';
import { duration } from '../../terminal/style.js';

export const setupCommand = defineCommand({
  name: 'setup',
  summary: 'find or fetch libtorch and compile the addon',
  description:
    'Training needs libtorch. It is looked for in $LIBTORCH, then in a Python torch on the path, then in the cache folder of vlgym; --fetch installs it there with pip (0.5 GB). The addon is compiled once for each version, into the same cache. Environments and agents need none of it.',
  options: z.object({
    fetch: z.boolean().default(false).describe('fetch libtorch with pip when none is found'),
    force: z.boolean().default(false).describe('compile again even if it was done before'),
  }),
  examples: [
    { command: 'vlgym setup --fetch', does: 'a machine without torch' },
    { command: 'LIBTORCH=/opt/libtorch vlgym setup', does: 'your own libtorch, for example one for CUDA' },
  ],
  async run(options, { stdout }) {
    const report = await setup({ ...options, onProgress: (line) => stdout.write(`  ${line}\n`) });
    stdout.write(
      `libtorch ${report.libtorch.version} at ${report.libtorch.root}\naddon ${report.addon}\n${report.compiled ? `compiled in ${duration(report.seconds)}` : 'nothing to do'}\n`,
    );
    return 0;
  },
});
