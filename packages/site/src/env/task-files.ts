/** The files that a task offers for uploads: written to a temporary folder when they are first used. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SiteTask } from './site-task.js';

export class TaskFiles {
  #folder: string | undefined;
  #written = new Map<string, string>();
  #files: NonNullable<SiteTask['files']> = {};

  begin({ files = {} }: SiteTask): void {
    this.discard();
    this.#files = files;
  }

  /** The path of a file; `undefined` if the task has none of this name. */
  pathOf(name: string): string | undefined {
    if (!Object.hasOwn(this.#files, name)) return undefined;
    this.#folder ??= mkdtempSync(join(tmpdir(), 'vlgym-files-'));
    const path = this.#written.get(name) ?? join(this.#folder, name);
    if (!this.#written.has(name)) writeFileSync(path, this.#files[name]!);
    this.#written.set(name, path);
    return path;
  }

  discard(): void {
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
    this.#written.clear();
  }
}
