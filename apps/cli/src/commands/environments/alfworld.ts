/** `vlgym alfworld`: ALFWorld's own games and its Python package onto this machine, and what is there. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SPLITS, type Split, TASK_TYPES, type TaskType } from '@vlgym/alfworld';
import {
  ARCHIVE_VERSIONS,
  type ArchiveCheck,
  archiveAddresses,
  downloadData,
  type Imported,
  importData,
} from '@vlgym/alfworld/data';
import { defaultDataFolder, type GameList, listGames, NoGamesError } from '@vlgym/alfworld/games';
import { setupPython as makePython } from '@vlgym/alfworld/python';
import { z } from 'zod';
import { defineCommand } from '../../command-line/command.js';
import type { CommandGroup } from '../../command-line/command-entry.js';
import { Phases } from '../../terminal/phases.js';
import { dim, table } from '../../terminal/style.js';

const DATA_FOLDER = '$VLGYM_ALFWORLD_DATA, $ALFWORLD_DATA or ~/.cache/alfworld';
const MEGABYTE = 1e6;

const download = defineCommand({
  name: 'alfworld download',
  summary: 'fetch the official games (about 120 MB)',
  description:
    'Fetches two archives of ALFWorld from its releases on GitHub, trajectories and games, and unpacks them into the data folder. Every file is held to the checksum in its archive. A download that breaks off continues where it stopped when the same command is typed again. The environments find the games there by themselves: vlgym eval alfworld/AlfredTWEnv-v0 --agent oracle.',
  options: z.object({
    version: z
      .enum(ARCHIVE_VERSIONS)
      .default('2.1.2')
      .describe('generation of the games: 2.1.1 has the old commands ("put … in/on …"), the others "move … to …"'),
    to: z.string().optional().describe(`data folder to fill; default: ${DATA_FOLDER}`),
    archives: z
      .string()
      .optional()
      .describe('folder that holds the archives while they are fetched; default: the cache of vlgym'),
    sha256: z
      .array(z.string().regex(/^[0-9a-f]{64}$/i, 'a SHA-256 has 64 hexadecimal digits'))
      .length(2)
      .optional()
      .describe('SHA-256 of both archives where you know them, trajectories first; ALFWorld publishes none'),
  }),
  examples: [
    { command: 'vlgym alfworld download', does: 'the games that ALFWorld 0.4 plays' },
    { command: 'vlgym alfworld download --version 2.1.1 --to old-games', does: 'those of the older papers, elsewhere' },
  ],
  async run({ version, to, archives, sha256 }, { signal, stdout, stderr }) {
    const addresses = archiveAddresses(version);
    const phases = new Phases(stderr);
    const checks: ArchiveCheck[] = [];
    const imported = await downloadData({
      version,
      signal,
      onChecked: (check) => checks.push(check),
      onDownload: ({ url, bytes, totalBytes = 0 }) =>
        phases.update(bytes / MEGABYTE, { label: url.split('/').at(-1)!, total: totalBytes / MEGABYTE, unit: 'MB' }),
      onUnpack: ({ done, total }) => phases.update(done, { label: 'unpacking', total, unit: 'files' }),
      ...(to === undefined ? {} : { to }),
      ...(archives === undefined ? {} : { archives }),
      ...(sha256 && { sha256: Object.fromEntries(addresses.map((url, index) => [url, sha256[index]!])) }),
    }).finally(() => phases.end());
    for (const { url, sha256: hash, heldTo } of checks) {
      stdout.write(`${url.split('/').at(-1)}: SHA-256 ${hash}, ${HELD_TO[heldTo]}\n`);
    }
    stdout.write(summaryOf(imported));
    return 0;
  },
});

/** ALFWorld publishes no checksums. */
const HELD_TO: Readonly<Record<ArchiveCheck['heldTo'], string>> = {
  given: 'as given',
  'first-download': 'as at the first download',
  nothing: 'recorded, because this is the first download: nothing to compare it with',
};

const importCommand = defineCommand({
  name: 'alfworld import',
  summary: 'take over games from a folder or an archive that you have',
  description:
    'Copies games into the data folder, out of a folder with json_2.1.1 in it or out of a ZIP archive. Only files of ALFWorld’s layout are taken; an archive that would write elsewhere, has links, or is far too large is refused as a whole. Existing files of the same size are kept.',
  positional: 'from',
  options: z.object({
    from: z.string().describe('folder with json_2.1.1, or a ZIP archive of ALFWorld'),
    to: z.string().optional().describe(`data folder to fill; default: ${DATA_FOLDER}`),
  }),
  examples: [
    { command: 'vlgym alfworld import json_2.1.2_tw-pddl.zip', does: 'an archive that was fetched on another machine' },
    { command: 'vlgym alfworld import ~/old/alfworld --to games', does: 'from a folder into your own folder' },
  ],
  async run({ from, to }, { signal, stdout, stderr }) {
    const phases = new Phases(stderr);
    const imported = await importData(from, {
      signal,
      onProgress: ({ done, total }) => phases.update(done, { label: 'importing', total, unit: 'files' }),
      ...(to === undefined ? {} : { to }),
    }).finally(() => phases.end());
    stdout.write(summaryOf(imported));
    return 0;
  },
});

const list = defineCommand({
  name: 'alfworld list',
  summary: 'which games are there, and why others are left out',
  description:
    'Counts the playable games of each split by kind of task. With --split, names their files one per line, as the option `games` of the environments takes them. With --rejected, names the folders that are left out instead, and why, judged as the original judges them.',
  options: z.object({
    data: z.string().optional().describe(`data folder; default: ${DATA_FOLDER}`),
    split: z.enum(SPLITS).optional().describe('name the games of one split'),
    taskTypes: z
      .array(z.enum(TASK_TYPES))
      .optional()
      .describe(`only these kinds of task: ${TASK_TYPES.join(', ')}`),
    rejected: z.boolean().default(false).describe('name what is left out, with the reason'),
  }),
  examples: [
    { command: 'vlgym alfworld list', does: 'a table: splits and kinds of task' },
    {
      command: 'vlgym alfworld list --split valid_unseen --task-types look_at_obj_in_light',
      does: 'files, one per line',
    },
    { command: 'vlgym alfworld list --rejected', does: 'why a game is missing' },
  ],
  async run({ data = defaultDataFolder(), split, taskTypes = TASK_TYPES, rejected }, { stdout }) {
    const found = splitsIn(data, taskTypes, split === undefined ? SPLITS : [split]);
    const lists = Object.values(found);
    if (rejected) {
      for (const { folder, reason, message } of lists.flatMap((games) => games.rejected)) {
        stdout.write(`${reason}  ${folder}${message ? `  ${message}` : ''}\n`);
      }
    } else if (split !== undefined) {
      for (const { file } of lists.flatMap(({ games }) => games)) stdout.write(`${file}\n`);
    } else stdout.write(`${overview(found, taskTypes)}\n${dim(data)}\n`);
    return 0;
  },
});

const setupPython = defineCommand({
  name: 'alfworld setup-python',
  summary: 'a Python with the original package, to compare with ours',
  description:
    'Makes a virtual environment in the cache folder of vlgym, installs alfworld 0.4.2 with pip (400 MB on disk), and tries it. alfworld/AlfredTWEnvPython-v0 finds it there. Finished steps are not repeated, and an interrupted run leaves nothing that counts as done. No other environment needs Python.',
  options: z.object({
    python: z.string().optional().describe('interpreter to make it with, 3.9 to 3.12; default: python3 on the path'),
    force: z.boolean().default(false).describe('create it again even if it exists'),
  }),
  examples: [
    { command: 'vlgym alfworld setup-python', does: 'with the python3 of the path' },
    { command: 'vlgym alfworld setup-python --python /usr/bin/python3.11', does: 'with one of several' },
  ],
  async run({ python, force }, { signal, stdout }) {
    const { made, interpreter, ...versions } = await makePython({
      python,
      force,
      signal,
      onProgress: (line) => stdout.write(`  ${dim(line)}\n`),
    });
    const { alfworld, textworld, python: version } = versions;
    stdout.write(`alfworld ${alfworld}, textworld ${textworld}, Python ${version}${made ? '' : ': nothing to do'}\n`);
    stdout.write(`${interpreter}\n`);
    if (!hasGames()) stdout.write('vlgym alfworld download\n');
    stdout.write('vlgym eval alfworld/AlfredTWEnvPython-v0 --episodes 10\n');
    return 0;
  },
});

export const alfworld: CommandGroup = {
  name: 'alfworld',
  summary: 'games of ALFWorld: download, import, list, setup-python',
  description:
    'vlgym/ALFWorld-v1 generates its own households and needs none of this. The games of the papers are files: fetch them once, or take over those you have, and alfworld/AlfredTWEnv-v0 plays them.',
  verbs: [download, importCommand, list, setupPython] as unknown as CommandGroup['verbs'],
};

function summaryOf({ folder, written, kept, ignored }: Imported): string {
  const parts = [`${written} files written`, `${kept} already there`, ...(ignored > 0 ? [`${ignored} ignored`] : [])];
  return `${parts.join(', ')}: ${folder}\nvlgym alfworld list${folder === defaultDataFolder() ? '' : ` --data ${folder}`}\n`;
}

function hasGames(): boolean {
  return SPLITS.some((split) => existsSync(join(defaultDataFolder(), 'json_2.1.1', split)));
}

/** The splits that are there. @throws {NoGamesError} There is none. */
function splitsIn(
  data: string,
  taskTypes: readonly TaskType[],
  splits: readonly Split[],
): Partial<Record<Split, GameList>> {
  const found: Partial<Record<Split, GameList>> = {};
  let missing: NoGamesError | undefined;
  for (const split of splits) {
    try {
      found[split] = listGames({ data, split, taskTypes });
    } catch (error) {
      if (!(error instanceof NoGamesError)) throw error;
      missing ??= error;
    }
  }
  if (missing && Object.keys(found).length === 0) throw missing;
  return found;
}

function overview(found: Partial<Record<Split, GameList>>, taskTypes: readonly TaskType[]): string {
  const splits = Object.entries(found);
  const count = (list: GameList, type?: TaskType) =>
    String(list.games.filter(({ taskType }) => type === undefined || taskType === type).length);
  return table([
    ['', ...splits.map(([split]) => split)],
    ...taskTypes.map((type) => [type, ...splits.map(([, games]) => count(games, type))]),
    ['games', ...splits.map(([, games]) => count(games))],
    ['left out', ...splits.map(([, { rejected }]) => String(rejected.length))],
  ]);
}
