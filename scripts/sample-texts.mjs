/**
 * Draws comments and error texts to reread. The same seed prints the same places until the sources change:
 *
 *     node scripts/sample-texts.mjs SEED [COMMENTS [ERRORS]]
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './setup.mjs';

const [seed = 1, comments = 60, errors = 40] = process.argv.slice(2).map(Number);
if (![seed, comments, errors].every(Number.isSafeInteger)) {
  console.error('usage: node scripts/sample-texts.mjs SEED [COMMENTS [ERRORS]]');
  process.exit(2);
}

const files = execFileSync('git', ['ls-files', 'packages', 'apps'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.m?[jt]sx?$/.test(file))
  .filter(
    (file) =>
      !/(?:^|\/)(?:test|tests|golden)\/|\.(?:test|bench|generated|d)\.m?ts$/.test(file) && existsSync(join(root, file)),
  )
  .sort();

const found = { comments: [], errors: [] };
for (const file of files) {
  const source = readFileSync(join(root, file), 'utf8');
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const at = (start) => `${file}:${tree.getLineAndCharacterOfPosition(start).line + 1}`;
  const ranges = new Map();
  const visit = (node) => {
    for (const range of ts.getLeadingCommentRanges(source, node.pos) ?? []) ranges.set(range.pos, range);
    for (const range of ts.getTrailingCommentRanges(source, node.end) ?? []) ranges.set(range.pos, range);
    if (isError(node)) found.errors.push(`${at(node.getStart())}\n${indented(textOf(node.arguments))}`);
    for (const child of node.getChildren()) if (!ts.isJSDoc(child)) visit(child);
  };
  visit(tree);
  found.comments.push(...joined([...ranges.values()], source).map(({ pos, end }) => [at(pos), source.slice(pos, end)]));
}
found.comments = found.comments
  .filter(([, text]) => /[a-z]{2,} [a-z]/i.test(text) && !/biome-ignore|@vitest|<reference/.test(text))
  .map(([place, text]) => `${place}\n${indented(text)}`);

/** `new SomethingError('…')`, or `super('…')` in the class of an error, with a text of its own. */
function isError(node) {
  const name = ts.isNewExpression(node)
    ? node.expression.getText()
    : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword
      ? ts.findAncestor(node, ts.isClassLike)?.heritageClauses?.[0]?.types[0]?.expression.getText()
      : undefined;
  return /Error$/.test(name ?? '') && /['"`]/.test(textOf(node.arguments ?? []));
}

function textOf(nodes) {
  return nodes.map((node) => node.getText()).join(', ');
}

function indented(text) {
  return text.replace(/^[ \t]*/gm, '    ');
}

/** Comment lines that follow each other are one comment. */
function joined(ranges, source) {
  const whole = [];
  for (const { pos, end } of ranges.sort((a, b) => a.pos - b.pos)) {
    const last = whole.at(-1);
    const isContinued = last && source.startsWith('//', pos) && /^\n[ \t]*$/.test(source.slice(last.end, pos));
    if (isContinued && source.startsWith('//', last.pos)) last.end = end;
    else whole.push({ pos, end });
  }
  return whole;
}

let state = seed >>> 0;
/** The next number of mulberry32, in [0, 1). */
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

function draw(texts, count) {
  const rest = [...texts];
  return Array.from(
    { length: Math.min(count, rest.length) },
    () => rest.splice(Math.floor(random() * rest.length), 1)[0],
  );
}

console.log(`# ${comments} of ${found.comments.length} comments, seed ${seed}\n`);
console.log(draw(found.comments, comments).join('\n'));
console.log(`\n# ${errors} of ${found.errors.length} error texts, seed ${seed}\n`);
console.log(draw(found.errors, errors).join('\n'));
