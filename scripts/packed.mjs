/** The packages as npm would publish them, for programs that install them as a user does. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const manifestOf = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

/** These packages, and those of ours that they need. */
function closureOf(names) {
  const folders = manifestOf('.').workspaces.flatMap((pattern) =>
    pattern.endsWith('/*')
      ? readdirSync(join(root, pattern.slice(0, -2))).map((name) => join(pattern.slice(0, -2), name))
      : [pattern],
  );
  const manifests = new Map(
    folders
      .filter((folder) => existsSync(join(root, folder, 'package.json')))
      .map((folder) => [manifestOf(folder).name, manifestOf(folder)]),
  );
  const all = new Set(names);
  for (const name of all) {
    for (const other of Object.keys(manifests.get(name).dependencies ?? {})) if (manifests.has(other)) all.add(other);
  }
  return [...all];
}

/**
 * Packs packages and what they need of ours; they must be built.
 *
 * @param folder  Removed first.
 * @returns the paths of the tarballs.
 */
export function packed(folder, names) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const workspaces = closureOf(names).flatMap((name) => ['--workspace', name]);
  const args = ['pack', '--silent', '--pack-destination', folder, ...workspaces];
  const { status } = spawnSync('npm', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`npm pack failed for ${names.join(', ')}: run \`npm run build\` first`);
  return readdirSync(folder).map((name) => join(folder, name));
}
