/**
 * Preload (`--import`) that ends its process by SIGKILL at the k-th change of the file system below a folder.
 *
 * `VLGYM_KILL_FOLDER` names the folder, `VLGYM_KILL_AT` counts from 1. With `VLGYM_KILL_TORN=1` a write that is hit is
 * half done first. `VLGYM_KILL_COUNT` names a file for the number of changes of a process that came to its end.
 * It sees what goes through `node:fs`; what a native library writes is not counted.
 */
import fs, { type PathLike, type PathOrFileDescriptor } from 'node:fs';
import promises, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { resolve, sep } from 'node:path';

const {
  VLGYM_KILL_FOLDER: folder = '',
  VLGYM_KILL_AT: at,
  VLGYM_KILL_TORN: torn,
  VLGYM_KILL_COUNT: counter,
} = process.env;
const root = resolve(folder);
const last = at === undefined ? Number.POSITIVE_INFINITY : Number(at);
let changes = 0;

type Call = (this: unknown, ...args: never[]) => unknown;
type Methods = Record<string, Call>;

const isInside = (path: unknown): boolean => {
  if (typeof path !== 'string' && !(path instanceof URL) && !Buffer.isBuffer(path)) return false;
  const full = resolve(path instanceof URL ? path.pathname : String(path));
  return full === root || full.startsWith(root + sep);
};

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); // until the signal arrives
}

/** Counts a change; the fatal one is not made, or half of it where it writes bytes. */
function change(writeHalf?: () => void): void {
  changes += 1;
  if (changes < last) return;
  if (torn === '1') writeHalf?.();
  die();
}

/** Puts `before` in front of methods of a module or prototype. */
function wrap(
  target: object,
  names: readonly string[],
  before: (self: unknown, args: readonly unknown[]) => void,
): void {
  const methods = target as Methods;
  for (const name of names) {
    const original = methods[name];
    if (!original) continue;
    methods[name] = function (this: unknown, ...args: never[]) {
      before(this, args);
      return original.apply(this, args);
    };
  }
}

const byPath = (_: unknown, args: readonly unknown[]) => {
  if (args.slice(0, 2).some(isInside)) change();
};
const PATHS = ['rename', 'unlink', 'rm', 'rmdir', 'mkdir', 'truncate', 'link', 'symlink', 'copyFile', 'cp', 'mkdtemp'];
const { openSync, writeSync, closeSync } = fs;
const halfOfFile = (path: PathOrFileDescriptor, data: unknown, flags: string) => () => {
  const bytes = Buffer.from(data as string);
  const file = openSync(path as PathLike, flags);
  writeSync(file, bytes, 0, bytes.length >> 1);
  closeSync(file);
};
const byData = (flags: string) => (_: unknown, args: readonly unknown[]) => {
  if (isInside(args[0])) change(halfOfFile(args[0] as string, args[1], flags));
};

// a file of its own, so that the prototype of handles can be reached before anything is counted
const probe = await promises.open(process.execPath, 'r');
const handlePrototype = Object.getPrototypeOf(probe) as object;
await probe.close();

const watched = new WeakSet<object>();
const { open } = promises;
const writes = (flags: unknown) => typeof flags === 'string' && /[wax+]/.test(flags);
promises.open = (async (path, flags, mode) => {
  if (isInside(path) && writes(flags)) change();
  const handle = await open(path, flags, mode);
  if (isInside(path)) watched.add(handle);
  return handle;
}) as typeof open;
wrap(promises, PATHS, byPath);
wrap(promises, ['writeFile'], byData('w'));
wrap(promises, ['appendFile'], byData('a'));
wrap(handlePrototype, ['write'], (self, [data, offset, length, position]) => {
  if (!watched.has(self as object)) return;
  change(() => {
    const bytes = Buffer.from(data as string);
    const start = typeof offset === 'number' ? offset : 0;
    const size = typeof length === 'number' ? length : bytes.length - start;
    const place = typeof position === 'number' ? position : null;
    writeSync((self as FileHandle).fd, bytes, start, size >> 1, place);
  });
});
wrap(handlePrototype, ['writev', 'writeFile', 'appendFile', 'sync', 'datasync', 'truncate'], (self) => {
  if (watched.has(self as object)) change();
});
wrap(fs, [...PATHS, ...PATHS.map((name) => `${name}Sync`)], byPath);
wrap(fs, ['writeFile', 'writeFileSync'], byData('w'));
wrap(fs, ['appendFile', 'appendFileSync'], byData('a'));
const descriptors = new Set<number>();
const { openSync: openWatched } = fs;
fs.openSync = (path, flags, mode) => {
  if (isInside(path) && writes(flags)) change();
  const file = openWatched(path, flags, mode);
  if (isInside(path)) descriptors.add(file);
  return file;
};
wrap(fs, ['closeSync'], (_, [file]) => descriptors.delete(file as number));
wrap(fs, ['writeSync', 'fsyncSync', 'fdatasyncSync', 'ftruncateSync'], (_, [file]) => {
  if (descriptors.has(file as number)) change();
});
syncBuiltinESMExports();

if (counter !== undefined) {
  const { writeFileSync } = await import('node:fs');
  const write = writeFileSync;
  process.once('exit', () => write(counter, String(changes)));
}
