/**
 * The checks that need no test runner: format, lint, types, and what the packages publish. They read the
 * build. `npm run check` runs them alone, `npm test` before the tests.
 *
 * Each check is a process of its own; two run at a time, because CI has two cores.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const PARALLEL = 2;

/** Folders of the published packages, from the root. */
export function publicPackages() {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const folders = workspaces.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    return readdirSync(join(root, parent)).map((name) => `${parent}/${name}`);
  });
  return folders.filter((folder) => {
    try {
      return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).private !== true;
    } catch {
      return false;
    }
  });
}

const TYPESCRIPT = 'typescript/bin/tsc';
const tool = (path) => join(root, 'node_modules', path);

/** Name and command. The longest come first, so that both cores stay busy. */
const checks = [
  ['types (TypeScript 6)', [tool(TYPESCRIPT), '-p', 'tsconfig.json', '--noEmit']],
  ['types (TypeScript 7)', [tool('typescript7/bin/tsc'), '-p', 'tsconfig.json', '--noEmit']],
  ['packages (publint, attw)', [join(root, 'scripts/packages.mjs')]],
  ['unused exports, files and dependencies (knip)', [tool('knip/bin/knip.js')]],
  ['format and lint (Biome)', [tool('@biomejs/biome/bin/biome'), 'check', '.']],
  ['types of the play page', [tool(TYPESCRIPT), '-p', 'apps/cli/tsconfig.page.json']],
  ['types of the viewer page', [tool(TYPESCRIPT), '-p', 'apps/viewer/tsconfig.page.json']],
];

/** Runs a program of Node. @returns Its output where it fails, otherwise undefined. */
function failureOf(command) {
  const child = spawn(process.execPath, command, { cwd: root });
  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(undefined);
      resolve(`${Buffer.concat(output)}\n${command.join(' ')} ended with ${signal ?? `exit code ${code}`}`);
    });
  });
}

async function runCheck([name, command]) {
  const failure = await failureOf(command);
  if (failure !== undefined) process.stderr.write(`✗ ${name}\n${failure.trim().replace(/^/gm, '    ')}\n`);
  else process.stdout.write(`✓ ${name}\n`);
  return failure === undefined;
}

/** Runs every check, also after a failure. @returns How many passed and failed. */
export async function runChecks() {
  const waiting = [...checks];
  const counts = { passed: 0, failed: 0 };
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      counts[(await runCheck(check)) ? 'passed' : 'failed'] += 1;
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return counts;
}
