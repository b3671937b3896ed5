/** One Inspect log for each recording: a log has one task and one model. */
import { basename, join, resolve } from 'node:path';
import { UsageError } from '../command-line/usage-error.js';
import { writeInspectLog } from './inspect-log.js';

export interface InspectExportOptions {
  /** As the user names it. */
  readonly folder: string;
  /** A file for one recording, a folder for several. */
  readonly out?: string | undefined;
  readonly pictureBytes: number;
}

/** @returns what was written, in words. */
export async function exportInspect(
  paths: readonly string[],
  { folder, out, pictureBytes }: InspectExportOptions,
): Promise<string> {
  const isFile = out !== undefined && /\.(eval|json)$/.test(out);
  if (isFile && paths.length > 1) {
    throw new UsageError(`${folder} holds ${paths.length} recordings, and a log has one.`, {
      expected: '--out FOLDER, or one of the recordings',
      hint: paths[0] ?? folder,
    });
  }
  const said: string[] = [];
  for (const path of paths) {
    const file = isFile ? resolve(out) : join(resolve(out ?? folder), `${nameOf(path, folder)}.eval`);
    const { samples, picturesLeftOut } = await writeInspectLog(path, { file, pictureBytes });
    const rest = picturesLeftOut > 0 ? `, ${picturesLeftOut} pictures left out (--megabytes)` : '';
    said.push(`${samples} samples${rest}\n${file}`);
  }
  return said.join('\n');
}

/** From the path below the folder: `ENVIRONMENT/AGENT` of a suite. */
function nameOf(path: string, folder: string): string {
  const below = resolve(path).startsWith(resolve(folder)) ? resolve(path).slice(resolve(folder).length + 1) : '';
  const name = below === '' || below === 'episodes' ? basename(resolve(folder)) : below;
  return name.replace(/\.jsonl$/, '').replace(/[^\w.-]+/g, '_');
}
