#!/usr/bin/env node
// The command as npm links it: in a clone it must be there before `dist` is built.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 20 || (major === 20 && minor >= 19)) {
  await import('../dist/cli.js');
} else {
  // dependencies of the command would fail first, with a TypeError
  process.stderr.write(`error vlgym needs Node 20.19 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 1;
}
