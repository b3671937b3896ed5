/**
 * LICENSE and NOTICE in every package, without a copy of them in the repository: `npm pack` and `npm publish` run this
 * in the package's folder, before (`copy`) and after (`remove`).
 */
import { copyFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [action] = process.argv.slice(2);

for (const name of ['LICENSE', 'NOTICE']) {
  if (action === 'copy') copyFileSync(join(root, name), name);
  else rmSync(name, { force: true });
}
