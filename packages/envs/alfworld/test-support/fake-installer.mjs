#!/usr/bin/env node
// Stands for a Python that can make virtual environments and has pip; what it makes plays as `fake-python.mjs` does.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [first, name, ...rest] = process.argv.slice(2);
const kind = process.env.FAKE_PYTHON;
const self = fileURLToPath(import.meta.url);

const modules = {
  venv([folder]) {
    mkdirSync(join(folder, 'bin'), { recursive: true });
    symlinkSync(self, join(folder, 'bin', 'python'));
  },
  pip(args) {
    console.log(`Collecting ${args.filter((arg) => /[=<]/.test(arg)).join(' ')}`);
    if (kind === 'hang') setInterval(() => {}, 1000);
    if (kind === 'offline') console.error('ERROR: Could not find a version (from versions: none)');
    if (kind === 'failing') console.error('error: command gcc failed');
    if (kind === 'offline' || kind === 'failing' || kind === 'overtaken') process.exitCode = 1;
  },
};

/** Another process finishes its installation, which FAKE_CURRENT describes, and ends. */
function overtake() {
  const root = join(process.env.VLGYM_CACHE, 'alfworld-python');
  modules.venv([join(root, JSON.parse(process.env.FAKE_CURRENT).folder)]);
  writeFileSync(join(root, 'current.json'), process.env.FAKE_CURRENT);
}

if (first === '-c') {
  if (kind === 'overtaken') overtake();
  const version = kind === 'old' ? [3, 8, 10] : [3, 11, 7];
  console.log(JSON.stringify({ base: self, version, hasVenv: kind !== 'lean' }));
} else if (first === '-m') modules[name](rest);
else await import('./fake-python.mjs');
