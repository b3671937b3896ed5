/**
 * Cached results of reading the files of a split, so that listing thousands of games takes well under a second.
 *
 * One JSON file per split folder in the user's cache. A cache that cannot be read or written, or that another version
 * wrote, is ignored.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Verdict } from './verdict.js';

const VERSION = 1;

export interface ListingCache {
  /** @param stamp  Sizes and times of the files behind the verdict. */
  find(folder: string, stamp: string): Verdict | undefined;
  keep(folder: string, stamp: string, verdict: Verdict): void;
  /** Writes the entries used since it was opened, if they changed. */
  save(): void;
}

type Entries = Record<string, readonly [stamp: string, verdict: Verdict]>;

/** `$VLGYM_CACHE`, or `vlgym` in the user's cache folder. */
export function cacheFolder(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  return environment.VLGYM_CACHE || join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'vlgym');
}

export function openListingCache(folder: string): ListingCache {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 24);
  const file = join(cacheFolder(), 'alfworld', `games-${name}.json`);
  const old = readEntries(file, folder);
  const entries: Entries = {};
  let isNews = false;
  return {
    find(trial, stamp) {
      const entry = Object.hasOwn(old, trial) ? old[trial] : undefined;
      if (entry?.[0] !== stamp) return undefined;
      entries[trial] = entry;
      return entry[1];
    },
    keep(trial, stamp, verdict) {
      entries[trial] = [stamp, verdict];
      isNews = true;
    },
    save() {
      if (isNews) writeEntries(file, { version: VERSION, folder, entries });
    },
  };
}

function readEntries(file: string, folder: string): Entries {
  try {
    const data = JSON.parse(readFileSync(file, 'utf8')) as { version: unknown; folder: unknown; entries: unknown };
    const isOurs = data.version === VERSION && data.folder === folder && typeof data.entries === 'object';
    return isOurs ? ((data.entries as Entries | null) ?? {}) : {};
  } catch {
    return {};
  }
}

function writeEntries(file: string, data: unknown): void {
  try {
    mkdirSync(join(file, '..'), { recursive: true });
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, JSON.stringify(data));
    renameSync(temporary, file);
  } catch {
    // Without a cache the next listing reads the files again.
  }
}
