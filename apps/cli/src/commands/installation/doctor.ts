import { availableParallelism, freemem, totalmem } from 'node:os';
import { doctor as checkNative } from '@vlgym/gpu/setup';
import { z } from 'zod';
import { defineCommand } from '../../command-line/command.js';
import { dim, green, red } from '../../terminal/style.js';
import { VERSION } from '../../version.js';

const GIB = 2 ** 30;
/** Checks that training needs. The build tools matter only until the addon is compiled. */
const NEEDED = new Set(['libtorch', 'addon', 'loads']);

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'what is installed, what is missing, what to type',
  description:
    'Looks at everything that training needs and says of each part whether it is there. Changes nothing. The exit code is 0 when `vlgym train` can run.',
  options: z.object({ quiet: z.boolean().default(false).describe('print nothing; only the exit code answers') }),
  examples: [
    { command: 'vlgym doctor', does: 'before you ask for help' },
    { command: 'vlgym doctor --quiet && vlgym train', does: 'in a script' },
  ],
  async run({ quiet }, { stdout }) {
    const checks = checkNative();
    const ready = checks.every(({ name, ok }) => ok || !NEEDED.has(name));
    if (quiet) return ready ? 0 : 1;
    const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
    const nodeFits = major > 20 || (major === 20 && minor >= 19);
    const rows = [
      { name: 'vlgym', ok: true, detail: VERSION },
      { name: 'node', ok: nodeFits, detail: process.versions.node, hint: 'install Node 20.19 or newer' },
      {
        name: 'machine',
        ok: true,
        detail: `${process.platform} ${process.arch}, ${availableParallelism()} cores, ${(freemem() / GIB).toFixed(1)} of ${(totalmem() / GIB).toFixed(1)} GiB memory free`,
      },
      ...checks,
    ];
    const width = Math.max(...rows.map(({ name }) => name.length)) + 2;
    for (const { name, ok, detail, hint } of rows) {
      stdout.write(`${ok ? green('✓') : red('✗')} ${name.padEnd(width)}${detail}\n`);
      if (!ok && hint) stdout.write(`  ${' '.repeat(width)}${dim(hint)}\n`);
    }
    stdout.write(
      ready ? '\nReady to train.\n' : '\nEnvironments and agents work; training needs the parts marked ✗.\n',
    );
    return ready ? 0 : 1;
  },
});
