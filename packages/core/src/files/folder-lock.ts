/**
 * One owner per folder: a second process is refused, and the folder of a dead one is taken over.
 *
 * Each contender writes a claim under a unique name, then lists the claims of other live processes. A contender that sees
 * none owns the folder: of two, the later one must have seen the other. Names are never reused, so removing the claim of a
 * dead process cannot remove that of a live one. `folder-lock.test.ts` lets processes race.
 */
import { GymError } from '../errors.js';
import { builtin } from './builtin.js';
import { FileWriteError } from './file-error.js';
import { ownIdentity, type ProcessIdentity, stateOf } from './process-identity.js';
import { NotReadableFileError, readRegularFile } from './read-regular-file.js';
import { writeFileAtomic } from './write-file-atomic.js';

/** Another live process writes into the folder. */
export class FolderLockedError extends GymError {
  constructor(
    readonly folder: string,
    readonly owner: Pick<ProcessIdentity, 'pid' | 'host'>,
    lock: string,
  ) {
    super(`Process ${owner.pid} on ${owner.host} writes into ${folder}.`, {
      code: 'FOLDER_LOCKED',
      value: folder,
      expected: 'a folder that no other process writes into',
      hint: `wait until it ends, stop it, or choose another folder; if the process no longer exists, delete ${lock}`,
    });
  }
}

export interface FolderLock {
  /** Unlocks the folder. A second call does nothing. */
  release(): Promise<void>;
}

/** Owners touch their claim, so that other machines can see that they are alive. */
const TOUCH_MS = 30_000;
const STALE_MS = 300_000;
/** Concurrent contenders withdraw and retry; they never wait for an owner. */
const TRIES = 20;
const MAX_CLAIM_BYTES = 1 << 16;

/**
 * Makes this process the only writer of the folder, until `release` or the end of the process.
 *
 * @param purpose  Locks of different purposes do not exclude each other; names the folder of claims, `.<purpose>.lock`.
 * @throws {FolderLockedError} `FOLDER_LOCKED`: another live process has it, or another part of this process.
 */
export async function lockFolder(folder: string, purpose = 'folder'): Promise<FolderLock> {
  const { join } = builtin('node:path');
  const claims = join(folder, `.${purpose}.lock`);
  const identity = await ownIdentity();
  for (let tries = 1; ; tries += 1) {
    const name = globalThis.crypto.randomUUID();
    await writeClaim(claims, name, identity);
    const others = await othersIn(claims, name);
    if (others.length === 0) {
      await writeFileAtomic(join(claims, `${name}.held`), '');
      return new HeldLock(claims, name);
    }
    await removeClaim(claims, name);
    const holder = others.find(({ held }) => held) ?? others[0]!;
    if (holder.held || tries === TRIES) throw new FolderLockedError(folder, holder, claims);
    const [random = 0] = globalThis.crypto.getRandomValues(new Uint8Array(1));
    await new Promise((resolve) => setTimeout(resolve, 5 + random / 4));
  }
}

class HeldLock implements FolderLock {
  readonly #touching: NodeJS.Timeout;
  #released = false;

  constructor(
    readonly claims: string,
    readonly name: string,
  ) {
    this.#touching = setInterval(() => this.#touch(), TOUCH_MS);
    this.#touching.unref();
  }

  async release(): Promise<void> {
    if (this.#released) return;
    this.#released = true;
    clearInterval(this.#touching);
    await removeClaim(this.claims, this.name);
  }

  #touch(): void {
    const now = new Date();
    const path = builtin('node:path').join(this.claims, claimFile(this.name));
    builtin('node:fs/promises')
      .utimes(path, now, now)
      .catch(() => {}); // deleted by hand, as the error above suggests: the owner finishes its work anyway
  }
}

/**
 * Whether the folder was left behind by its owner: its claims are of dead processes, or it has none and was not changed for
 * five minutes. A younger folder without claims is one that its owner is opening or closing. Nothing is written.
 */
export async function isAbandoned(folder: string, purpose = 'folder'): Promise<boolean> {
  const { readdir, stat } = builtin('node:fs/promises');
  const claims = builtin('node:path').join(folder, `.${purpose}.lock`);
  let dead = 0;
  for (const file of await readdir(claims).catch(() => [])) {
    const name = nameOfClaim(file);
    const owner = name === undefined ? 'gone' : await readClaim(claims, name);
    if (owner === 'dead') dead += 1;
    else if (owner !== 'gone') return false;
  }
  if (dead > 0) return true;
  const there = await stat(folder).catch(() => undefined);
  return there !== undefined && Date.now() - there.mtimeMs > STALE_MS;
}

interface Claim extends ProcessIdentity {
  readonly held: boolean;
}

/** The claims of other live processes; those of dead ones are removed. */
async function othersIn(claims: string, ownName: string): Promise<Claim[]> {
  const { readdir } = builtin('node:fs/promises');
  const names = await readdir(claims);
  const others: Claim[] = [];
  for (const file of names) {
    const name = nameOfClaim(file);
    if (name === undefined || name === ownName) continue;
    const owner = await readClaim(claims, name);
    if (owner === 'gone') continue;
    if (owner === 'dead') await removeClaim(claims, name);
    else others.push({ ...owner, held: names.includes(`${name}.held`) });
  }
  return others;
}

async function readClaim(claims: string, name: string): Promise<ProcessIdentity | 'gone' | 'dead'> {
  const { stat } = builtin('node:fs/promises');
  const path = builtin('node:path').join(claims, claimFile(name));
  try {
    const owner = JSON.parse(await readRegularFile(path, MAX_CLAIM_BYTES)) as ProcessIdentity;
    const state = await stateOf(owner);
    if (state !== 'unknown') return state === 'alive' ? owner : 'dead';
    return Date.now() - (await stat(path)).mtimeMs > STALE_MS ? 'dead' : owner;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'gone';
    // claims are written atomically: this one was damaged later, or is not a file
    if (error instanceof SyntaxError || error instanceof NotReadableFileError) return 'dead';
    throw error;
  }
}

const claimFile = (name: string) => `${name}.json`;
const nameOfClaim = (file: string) => /^([0-9a-f-]{36})\.json$/.exec(file)?.[1];

async function writeClaim(claims: string, name: string, identity: ProcessIdentity): Promise<void> {
  const path = builtin('node:path').join(claims, claimFile(name));
  for (let tries = 1; ; tries += 1) {
    try {
      return await writeFileAtomic(path, `${JSON.stringify(identity)}\n`);
    } catch (error) {
      // the previous owner may be removing the folder at this moment
      if (!(error instanceof FileWriteError && error.reason === 'ENOENT') || tries === TRIES) throw error;
    }
  }
}

async function removeClaim(claims: string, name: string): Promise<void> {
  const { rm, rmdir } = builtin('node:fs/promises');
  const { join } = builtin('node:path');
  await rm(join(claims, `${name}.held`), { force: true });
  await rm(join(claims, claimFile(name)), { force: true });
  await rmdir(claims).catch(() => {}); // other claims are in it
}
