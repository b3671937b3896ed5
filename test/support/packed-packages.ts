/**
 * The public packages as npm packs them, in folders of consumers.
 *
 * npm installs all of them once. The folder of a consumer then gets links to the packages that npm would install there:
 * those that were asked for and what these need, by `dependencies` and by peers that are not optional. Nothing else is
 * reachable from it. `test/install.long.test.ts` holds the linked packages against real installations.
 */
import { execFile } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { closure, publicPackages, ROOT, requireBuild } from './workspaces.js';

const run = promisify(execFile);
/** Runs npm in a folder. */
export const npm = (args: readonly string[], cwd: string) => run('npm', args, { cwd, maxBuffer: 64 << 20 });

export interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly shasum: string;
  readonly files: readonly { readonly path: string }[];
}

/** A package in npm's own list of what it has installed. */
export interface InstalledPackage {
  readonly version: string;
  readonly hasInstallScript?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Path from the consumer's folder → package. */
export type Installation = ReadonlyMap<string, InstalledPackage>;

/** Packages that npm has installed in a folder, by its own list. */
export function installationIn(folder: string): Installation {
  const lock = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  return new Map(Object.entries(lock.packages as Record<string, InstalledPackage>));
}

/** `puppeteer-core@24` → `puppeteer-core`. */
const nameOf = (wanted: string) => wanted.replace(/(?<=.)@.*/, '');

/** Where Node finds a package from another one, the nearest folder first. */
function resolve(all: Installation, name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const path = `${folder && `${folder}/`}node_modules/${name}`;
    if (all.has(path)) return path;
    if (folder === '') return undefined;
  }
}

/** The packages that `names` need, with their paths, out of a larger installation. */
function needed(all: Installation, names: readonly string[]): Installation {
  const found = new Map<string, InstalledPackage>();
  const visit = (name: string, from: string, optional: boolean): void => {
    const path = resolve(all, name, from);
    if (path === undefined) {
      if (!optional) throw new Error(`${from || 'the consumer'} needs ${name}, which npm has not installed`);
      return; // for another operating system
    }
    if (found.has(path)) return;
    const entry = all.get(path)!;
    found.set(path, entry);
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = entry;
    for (const each of Object.keys(dependencies)) visit(each, path, each in optionalDependencies);
    for (const each of Object.keys(optionalDependencies)) visit(each, path, true);
    for (const each of Object.keys(peerDependencies)) {
      if (!peerDependenciesMeta[each]?.optional) visit(each, path, false);
    }
  };
  for (const name of names) visit(nameOf(name), '', false);
  return found;
}

/** The files of one package, without the packages inside of it. */
function linkFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.name === 'node_modules') continue;
    if (entry.isDirectory()) linkFiles(join(from, entry.name), join(to, entry.name));
    else linkSync(join(from, entry.name), join(to, entry.name));
  }
}

export class PackedPackages {
  #all: Promise<string> | undefined;

  private constructor(
    /** Holds the packed files and the folders of all consumers. */
    readonly home: string,
    readonly packed: ReadonlyMap<string, Packed>,
    private readonly others: readonly string[],
  ) {}

  /** @param others  Packages of others that consumers ask for. */
  static async pack(others: readonly string[] = []): Promise<PackedPackages> {
    requireBuild();
    const home = await realpath(await mkdtemp(join(tmpdir(), 'vlgym-install-')));
    const names = publicPackages.flatMap(({ name }) => ['--workspace', name]);
    const { stdout } = await npm(['pack', '--json', '--pack-destination', home, ...names], ROOT);
    const packed = (JSON.parse(stdout) as Packed[]).map((each) => [each.name, each] as const);
    return new PackedPackages(home, new Map(packed), others);
  }

  /** An empty folder with the package.json that is given. */
  async consumer(manifest: string): Promise<string> {
    const folder = await mkdtemp(join(this.home, 'consumer-'));
    await writeFile(join(folder, 'package.json'), manifest);
    return folder;
  }

  /** Installs with npm: ours from the packed files, all others from its cache or registry. */
  async install(names: readonly string[], folder: string): Promise<void> {
    const wanted = names.flatMap((name) => {
      const ours = publicPackages.find((each) => each.name === name);
      return ours ? closure(ours).map((each) => join(this.home, this.packed.get(each.name)!.filename)) : [name];
    });
    const how = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
    await npm(['install', ...new Set(wanted), ...how], folder);
  }

  /** The folder in which npm has installed all of our packages, and those of others. */
  everything(): Promise<string> {
    this.#all ??= this.consumer('{"private":true}').then(async (folder) => {
      await this.install([...publicPackages.map(({ name }) => name), ...this.others], folder);
      return folder;
    });
    return this.#all;
  }

  /** The packages that npm would install for these names. */
  async needed(names: readonly string[]): Promise<Installation> {
    return needed(installationIn(await this.everything()), names);
  }

  /** Links what npm would install for these names. Files are shared: nobody may write into them. */
  async link(names: readonly string[], folder: string): Promise<void> {
    const all = await this.everything();
    for (const [path, { bin = {} }] of await this.needed(names)) {
      linkFiles(join(all, path), join(folder, path));
      const commands = join(folder, path.slice(0, path.lastIndexOf('node_modules/')), 'node_modules/.bin');
      for (const [command, file] of Object.entries(bin)) {
        mkdirSync(commands, { recursive: true });
        symlinkSync(relative(commands, join(folder, path, file)), join(commands, command));
      }
    }
  }

  remove(): Promise<void> {
    return rm(this.home, { recursive: true, force: true });
  }
}
