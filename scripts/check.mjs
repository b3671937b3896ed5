/** `npm run check`: everything a change must pass before it is shared. Stops at the first failure and names it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, setup } from './setup.mjs';

const node = (path, ...args) => [process.execPath, [join(root, 'node_modules', path), ...args]];

function publicPackages() {
  return ['packages', 'packages/envs', 'packages/algos', 'apps']
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((folder) => {
      try {
        return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).private !== true;
      } catch {
        return false;
      }
    });
}

const steps = [
  ['set-up and build', () => setup()],
  ['format and lint', () => run(...node('@biomejs/biome/bin/biome', 'check', '.'))],
  ['types (TypeScript 6)', () => run(...node('typescript/bin/tsc', '-p', 'tsconfig.json', '--noEmit'))],
  ['types (TypeScript 7)', () => run(...node('typescript7/bin/tsc', '-p', 'tsconfig.json', '--noEmit'))],
  ...publicPackages().flatMap((folder) => [
    [`publint ${folder}`, () => run(...node('publint/src/cli.js', folder, '--strict'))],
    [
      `attw ${folder}`,
      () => run(...node('@arethetypeswrong/cli/dist/index.js', '--pack', folder, '--profile', 'node16')),
    ],
  ]),
  ['tests and install test', () => run(process.execPath, [join(root, 'scripts/test.mjs')], { show: true })],
];

for (const [name, action] of steps) {
  process.stdout.write(`▸ ${name}\n`);
  try {
    await action();
  } catch (error) {
    process.stderr.write(`✗ ${name}: ${error.message}\n`);
    process.exit(1);
  }
}
process.stdout.write('✓ all checks passed\n');
