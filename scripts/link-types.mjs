/**
 * Last step of the build of a package with entries by topic: the declarations of each entry load those of the others.
 * Without that, the compiler of a user cannot name a type that it infers from one entry and another exports (TS2883).
 */
import { readFileSync, writeFileSync } from 'node:fs';

/** Entries whose types no other entry mentions. Some need the types of Node or of an optional peer. */
const SEPARATE = ['http', 'internal', 'package.json', 'telemetry', 'testing', 'verification'];

const { name, exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const topics = Object.keys(exports)
  .map((entry) => entry.slice(2))
  .filter((entry) => !SEPARATE.includes(entry));

for (const entry of topics) {
  const others = topics.filter((each) => each !== entry);
  const lines = others.map((each) => `/// <reference types="${[name, each].filter(Boolean).join('/')}" />\n`);
  for (const ending of ['d.ts', 'd.cts']) {
    const file = `dist/${entry || 'index'}.${ending}`;
    writeFileSync(file, lines.join('') + readFileSync(file, 'utf8'));
  }
}
