/** `vlgym miniwob`: the pages of MiniWoB++ onto this machine, and which tasks there are. */
import { expertTasks, KINDS, setupPages, TASKS } from '@vlgym/miniwob';
import { z } from 'zod';
import { defineCommand } from '../../command-line/command.js';
import type { CommandGroup } from '../../command-line/command-entry.js';
import { dim, table } from '../../terminal/style.js';

const setup = defineCommand({
  name: 'miniwob setup',
  summary: 'fetch the pages of MiniWoB++ with pip (2 MB)',
  description:
    'Has pip download the wheel of miniwob 1.1.0 (MIT), holds it to its SHA-256 and unpacks it into the cache of vlgym, without what the package depends on. vlgym/MiniWoB-v1 finds the pages there. VLGYM_MINIWOB_HTML names the folder html of another copy instead.',
  options: z.object({
    python: z.string().optional().describe('interpreter whose pip is used; default: python3 on the path'),
    force: z.boolean().default(false).describe('fetch them again even if they are there'),
  }),
  examples: [{ command: 'vlgym miniwob setup', does: 'once on each machine' }],
  async run({ python, force }, { signal, stdout }) {
    const onProgress = (line: string) => void stdout.write(`  ${dim(line)}\n`);
    const { folder, made } = await setupPages({ python, force, signal, onProgress });
    stdout.write(`${folder}${made ? '' : ': nothing to do'}\n`);
    stdout.write('vlgym eval vlgym/MiniWoB-v1 --agent oracle --env-options task=login-user --episodes 3\n');
    return 0;
  },
});

const list = defineCommand({
  name: 'miniwob list',
  summary: 'the tasks by kind and level, and which of them the expert knows',
  description: 'Prints one line per task; the names are values of the option `task` of vlgym/MiniWoB-v1.',
  options: z.object({ kind: z.enum(KINDS).optional().describe('only tasks of this kind') }),
  examples: [{ command: 'vlgym miniwob list --kind mail', does: 'the inboxes' }],
  async run({ kind }, { stdout }) {
    const known = new Set(expertTasks());
    const shown = [...TASKS.values()].filter((task) => kind === undefined || task.kind === kind);
    const rows = shown.map((task) => [
      task.name,
      task.kind,
      String(task.level),
      known.has(task.name) ? 'expert' : '',
      [...(task.timed ? ['by time'] : []), ...(task.license === undefined ? [] : [task.license])].join(', '),
    ]);
    stdout.write(`${table([['task', 'kind', 'level', '', ''], ...rows])}\n`);
    return 0;
  },
});

export const miniwob: CommandGroup = {
  name: 'miniwob',
  summary: 'pages and tasks of MiniWoB++: setup, list',
  description: 'vlgym/MiniWoB-v1 plays the pages of the Python package miniwob, which are fetched once.',
  verbs: [setup, list] as unknown as CommandGroup['verbs'],
};
