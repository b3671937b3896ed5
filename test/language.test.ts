/**
 * Comments and strings are plain American technical English. The phrases below read as translated; what is left of them
 * in a package may only become fewer: lower its number here after a change, and never raise it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commentsAndStrings } from './support/comments-and-strings.js';
import { publicPackages, ROOT } from './support/workspaces.js';

const PHRASES: Readonly<Record<string, RegExp>> = {
  'is no': / is no (?!longer|more\b)/g,
  'Of … as a whole comment': /(?:\/\*\*|\n\s*\*) Of /g,
  'that there is not': /that there (?:is|are) not\b/g,
  'by chance': /\bby chance\b/g,
  'so many': /\bso many\b/g,
  'for ever': /\bfor ever\b/g,
  'What … as the beginning of a docstring': /\/\*\*\s+(?:\* )?Wh(?:at|o|om|y) /g,
  'of your own': /\bof (?:your|their) own\b/g,
  'of another shape': /\bof another (?:length|shape|size|dtype)\b/g,
  'once more': /\bonce more\b/g,
  anew: /\banew\b/g,
  'given up': /\bgiven up\b/g,
  'there already': /\bthere already\b/g,
  '@param … Of': /@param \S+ +Of /g,
  'undefined where': /\b(?:null|undefined|absent|empty|nothing)`? where /gi,
  'British spelling': new RegExp(
    String.raw`\b(?:${[
      String.raw`\w*(?:behav|col|fav|flav|hon|lab|neighb)our\w*`,
      '(?:analy|catalogu|character|emphas|final|general|initial|maxim|minim|normal|optim|organ|random|real|recogn|serial|special|summar|synchron|token|util|vector|visual)is(?:e|ed|er|ers|es|ing|ation|ations)',
      String.raw`\w*(?:analys)(?:e|ed|ing)`,
      '(?:cancell|labell|modell|signall|travell)(?:ed|ing)',
      'artefacts?|catalogue[sd]?|centre[sd]?|defence|fulfil|grey(?:scale)?|judgement|licences?|metres?|whilst',
    ].join('|')})\b`,
    'gi',
  ),
};

/** Occurrences that are left, by folder. */
const LEFT: Readonly<Record<string, number>> = {
  'packages/core': 17, // a misspelled option of a test; spaces, wrappers and registry
  'packages/algos/rl': 1, // a misspelled option of a test
  'packages/gpu': 2, // the name of a golden file
  'packages/models': 30, // words that the vocabulary of the tiny preset was made from; the folder src/policy
  'packages/envs/minigrid': 4, // `grey` is the original's name of a color
  'packages/envs/miniworld': 6, // `grey` is the original's name of a color
  'packages/envs/webshop': 3, // color words of the original, and words of the generated catalogs
  test: 1,
};

interface Finding {
  readonly place: string;
  readonly phrase: string;
}

function findings(folder: string): Finding[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.m?[jt]s$/.test(file) && !/(?:^|\/)(?:dist|node_modules)\/|\.generated\.ts$|\.d\.ts$/.test(file),
  );
  return files.flatMap((file) => {
    const source = readFileSync(join(ROOT, folder, file), 'utf8');
    // parsing takes time, and most files have no such phrase, not even in their code
    const suspected = Object.entries(PHRASES).filter(([, pattern]) => source.search(pattern) >= 0);
    if (suspected.length === 0) return [];
    return commentsAndStrings(file, source).flatMap(({ line, text }) =>
      suspected.flatMap(([phrase, pattern]) =>
        [...text.matchAll(pattern)].map(({ 0: found }) => ({
          place: `${folder}/${file}:${line}`,
          phrase: `${phrase}: "${found.trim()}"`,
        })),
      ),
    );
  });
}

const folders = [...publicPackages.map(({ path }) => path), 'test'].filter((folder) => folder !== 'test/golden');

describe('comments and strings', () => {
  it.each(folders)('of %s have no more phrases that read as translated than before', (folder) => {
    const found = findings(folder).filter(({ place }) => !place.startsWith('test/language.test.ts'));
    const allowed = LEFT[folder] ?? 0;
    const listed = found.map(({ place, phrase }) => `${place} ${phrase}`);
    expect(found.length, `at most ${allowed} are allowed in ${folder}\n${listed.join('\n')}`).toBeLessThanOrEqual(
      allowed,
    );
  });
});

describe('the check itself', () => {
  const phrasesIn = (source: string) =>
    commentsAndStrings('x.ts', source).flatMap(({ text }) =>
      Object.keys(PHRASES).filter((phrase) => text.search(PHRASES[phrase]!) >= 0),
    );

  it.each([
    ['/** This is no option. */', ['is no']],
    ['/**\n * Of starting weights.\n */', ['Of … as a whole comment']],
    ["throw new Error('a mode that there is not');", ['that there is not']],
    ['const a = `drawn by chance`; // after so many steps', ['by chance', 'so many']],
    ['const pattern = /colour is no option/; // colours', ['British spelling']],
    ['/** The colour. */', ['British spelling']],
    ['/** What an action leads to. */', ['What … as the beginning of a docstring']],
    ['/** @param name  Of the run. */', ['@param … Of']],
  ])('finds phrases in comments and strings: %s', (source, phrases) => {
    expect(phrasesIn(source).sort()).toEqual([...phrases].sort());
  });

  it.each([
    ['/** It is no longer needed; the rate of learning is not optional. */'],
    ['const url = "https://host/path"; const colour = 1; const ratio = colour / 2;'],
    ['/** Specialists, realism, promises, wise choices. */'],
  ])('passes plain English and code: %s', (source) => {
    expect(phrasesIn(source)).toEqual([]);
  });
});
