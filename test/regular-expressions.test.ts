/**
 * No regular expression of the sources takes more than linear time, whatever text it reads.
 *
 * `recheck` finds the text on which an expression is slow, e.g. blanks with nothing behind them for `/\s*$/`. Those that
 * are put together at run time cannot be seen by it: they are listed here, each with why it is linear.
 *
 * A verdict depends on nothing but the expression and the checker. So `golden/linear-expressions.txt` keeps the digests of
 * those that were found linear: new ones are checked, and one in sixteen of the others. `VLGYM_EXPRESSIONS=all` checks
 * all of them and writes the file.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { publicPackages, ROOT } from './support/workspaces.js';

/** File → why its `new RegExp(…)` is linear. */
const BUILT: Readonly<Record<string, string>> = {
  'apps/cli/src/command-line/cli-hints.ts': 'the name of an option, with one character before and after',
  'packages/core/src/dialogue/scan-json.ts': 'the key stands between what may repeat, so runs of blanks are read once',
  'packages/envs/alfworld/src/data/import-data.ts': 'parts without "/" with a "/" between, anchored',
  'packages/envs/puzzles/src/lake/board.ts': 'one letter',
  'packages/envs/puzzles/src/sokoban/saved.ts': 'one class of digits, anchored',
  'packages/envs/webshop/src/dialogue/dialogue.ts': 'a fixed word, then blanks up to a colon',
  'packages/models/src/adapters/lora.ts': 'patterns of an adapter folder have at most two quantifiers, none on a group',
  'packages/models/src/adapters/peft/read-adapter.ts': 'names with their dots escaped, as alternatives',
  'packages/models/src/policy/training.ts': 'the pattern of the caller, on names of weights',
  'packages/transfer/src/extract/open-answer.ts': 'numbers begin at most once in a run of digits',
  'packages/transfer/src/text/python-float.ts': 'digits with a dot or an "e" between, anchored',
  'packages/transfer/src/text/python-text.ts': 'one class of characters',
};

/** Expressions with assertions, which the checker does not read → why they are linear. */
const ASSERTING: Readonly<Record<string, string>> = {
  '/answer is \\**([a-z])(?![a-z])/i': 'fixed words, then a run of stars',
  '/-?(?<![0-9])[0-9]+(?:\\.[0-9]+)?[eE][+-]?[0-9]+/g': 'begins at most once in a run of digits',
  '/(?<![\\w-])eyJ([\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]*)?)/g': 'begins at most once in a run of what it repeats',
  '/^(?:[\\w:-]+\\/)?(?![\\w:.-]*-v\\d+$)[\\w:.-]+$/': 'anchored; runs of digits behind "-v" do not overlap',
  '/[A-Za-z_]\\w*(?=\\s*=[^=])/y': 'sticky; a shorter word is followed by no "="',
  '/[A-Za-z]+(?![\\w\'"])/y': 'sticky; a shorter word is followed by a letter, and that ends it',
};

interface Found {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

const KNOWN = join(ROOT, 'test/golden/linear-expressions.txt');
const CHECKER = createRequire(import.meta.url)('recheck/package.json').version as string;
const ALL = process.env.VLGYM_EXPRESSIONS === 'all';
const digestOf = (expression: string) =>
  createHash('sha256').update(`recheck ${CHECKER} ${expression}`).digest('hex').slice(0, 16);

const files = publicPackages.flatMap(({ folder }) =>
  readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ts$/.test(file) && !/\.(test|generated|d)\.ts$/.test(file))
    .map((file) => join(folder, 'src', file)),
);
const literals: Found[] = [];
const built = new Set<string>();
for (const path of files) {
  const file = path
    .slice(ROOT.length)
    .replace(/^[\\/]/, '')
    .replaceAll('\\', '/');
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      literals.push({ file, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') built.add(file);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
}

describe('regular expressions', () => {
  it('are found', () => expect(literals.length).toBeGreaterThan(100));

  it('are linear in the text', { timeout: 300_000 }, async () => {
    const slow: string[] = [];
    // without a repetition that is not bounded there is nothing to find
    const repeating = literals.filter(({ source }) => /[*+]|\{\d+,\}/.test(source));
    const found = new Map(repeating.map((each) => [`/${each.source}/${each.flags}`, each]));
    const known = new Set(ALL ? [] : readFileSync(KNOWN, 'utf8').split('\n'));
    const linear: string[] = [];
    for (const [expression, { file, source, flags }] of found) {
      const digest = digestOf(expression);
      if (known.has(digest) && !digest.startsWith('0')) continue;
      const result = await check(source, flags, { timeout: 30_000, checker: 'automaton' });
      if (result.status === 'safe') linear.push(digest);
      if (result.status === 'safe' || expression in ASSERTING) continue;
      // what the checker cannot decide in time has to be written in a simpler way
      const why = result.status === 'vulnerable' ? result.complexity.summary : result.error.kind;
      slow.push(`${file}: ${expression} ${why}`);
    }
    expect(slow).toEqual([]);
    if (ALL) writeFileSync(KNOWN, `${linear.sort().join('\n')}\n`);
  });

  it('are put together at run time only where that is known to be linear', () => {
    expect([...built].sort()).toEqual(Object.keys(BUILT).sort());
  });
});
