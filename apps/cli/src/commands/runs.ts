import { z } from 'zod';
import { defineCommand } from '../command-line/command.js';
import { percent, table } from '../terminal/style.js';

export const runs = defineCommand({
  name: 'runs',
  summary: 'list runs and recordings: state, algorithm, environment, success, age',
  description:
    'Looks through folders for what `train`, `bench`, `quickstart`, `eval --record` and `suite` wrote, newest first. Reads only; `vlgym view` shows the same on a page, and `vlgym status FOLDER` how long one takes.',
  positional: 'folders',
  options: z.object({
    folders: z.array(z.string()).default(['runs']).describe('where to look; default runs'),
    state: z.enum(['running', 'stopped', 'done', 'recorded']).optional().describe('only those in this state'),
    json: z.boolean().default(false).describe('print JSON for scripts'),
  }),
  examples: [
    { command: 'vlgym runs', does: 'everything below runs' },
    { command: 'vlgym runs /data/runs --state stopped', does: 'those that can be continued' },
  ],
  async run({ folders, state, json }, { stdout }) {
    const { listRuns } = await import('@vlgym/viewer');
    const list = await listRuns(folders);
    const found = list.runs.filter((run) => state === undefined || run.state === state);
    if (json) {
      stdout.write(`${JSON.stringify(found, null, 2)}\n`);
      return 0;
    }
    if (found.length === 0) stdout.write('no run and no recording\n');
    else {
      const rows = found.map((run) => [
        run.name,
        run.state,
        run.algorithm ?? run.agent ?? '–',
        run.environment ?? '–',
        run.seed === undefined ? '–' : String(run.seed),
        run.kind === 'training' ? `${run.updates ?? 0} of ${run.total ?? '?'}` : `${run.episodes ?? 0} episodes`,
        run.success === undefined ? '–' : percent(run.success, 0),
        age(Date.now() - run.changedAt),
      ]);
      stdout.write(`${table([HEAD, ...rows])}\n`);
    }
    return 0;
  },
});

const HEAD = ['run', 'state', 'by', 'environment', 'seed', 'progress', 'success', 'age'];

function age(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  return minutes < 60 * 24 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60 / 24)} d`;
}
