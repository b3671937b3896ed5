/** Which runs may be moved or deleted, and doing so while nobody can begin to write into them. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { lockFolder } from '@vlgym/core/internal';
import type { ListedRun } from '@vlgym/viewer';

export interface Choice {
  readonly state?: string | undefined;
  /** Days since the last change. */
  readonly olderThan?: number | undefined;
}

const DAY = 86_400_000;

export interface Chosen {
  readonly runs: readonly ListedRun[];
  /** Others that fit the choice, with the reason to keep them. */
  readonly kept: readonly { readonly folder: string; readonly why: string }[];
}

/** @param now  Milliseconds since 1970. */
export function chosenRuns(all: readonly ListedRun[], { state, olderThan }: Choice, now: number): Chosen {
  const fitting = all.filter(
    (run) =>
      (state === undefined || run.state === state) &&
      (olderThan === undefined || now - run.changedAt >= olderThan * DAY),
  );
  const kept: { folder: string; why: string }[] = [];
  const runs = fitting.filter(({ folder, busy }) => {
    const inner = all.find((other) => other.folder !== folder && other.folder.startsWith(folder + sep));
    const why = busy ? 'a process writes into it' : inner && `it holds another: ${inner.folder}`;
    if (why) kept.push({ folder, why });
    return why === undefined;
  });
  return { runs, kept };
}

/** @returns bytes of all files. */
export async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await sizeOf(path);
    else if (entry.isFile()) bytes += (await stat(path)).size;
  }
  return bytes;
}

/**
 * Deletes the folder of a run under its locks.
 *
 * @throws {FolderLockedError} `FOLDER_LOCKED`: a process has begun to write into it.
 */
export async function deleteRun({ folder }: Pick<ListedRun, 'folder'>): Promise<void> {
  const locks = [await lockFolder(folder, 'run')];
  try {
    locks.push(await lockFolder(folder, 'episodes'));
    await rm(folder, { recursive: true });
  } finally {
    for (const lock of locks) await lock.release().catch(() => {});
  }
}
