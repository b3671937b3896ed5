/**
 * `npm run pack -- FOLDER`: a file of every public package, while none is on npm. In another folder,
 * `npm install FOLDER/*.tgz` installs them. Needs `npm run build` first.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { publicPackages } from './checks.mjs';
import { root, run } from './setup.mjs';

const [given] = process.argv.slice(2);
const packages = publicPackages();
const unbuilt = packages.filter((folder) => !existsSync(join(root, folder, 'dist')));
if (given === undefined || unbuilt.length > 0) {
  const why =
    given === undefined ? 'which folder? npm run pack -- FOLDER' : `not built: ${unbuilt.join(', ')}; npm run build`;
  process.stderr.write(`${why}\n`);
  process.exit(2);
}
// npm runs scripts in the root, and says here where the command was typed
const { INIT_CWD: place = '.' } = process.env;
const folder = resolve(place, given);
mkdirSync(folder, { recursive: true });
run('npm', ['pack', '--silent', '--pack-destination', folder, ...packages.flatMap((each) => ['--workspace', each])]);
process.stdout.write(`${packages.length} packages; install them with: npm install ${folder}/*.tgz\n`);
