/**
 * Public option types take `undefined` if an option may be missing, so that `evaluate({ maxSteps: given.maxSteps })`
 * compiles under `exactOptionalPropertyTypes`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { publicPackages, ROOT } from './support/workspaces.js';

const OPTIONS = /(?:Options|Settings|Limits|Budget|Prices|Timing|Changes)$/;

const exported = (name: string) => {
  const api = readFileSync(join(ROOT, 'docs/api', `${name.replace(/^@.*\//, '')}.txt`), 'utf8');
  return new Set([...api.matchAll(/^ {2}(\w+): type/gm)].map(([, type]) => type!));
};

function takesUndefined(type: ts.TypeNode | undefined): boolean {
  if (!type || type.kind === ts.SyntaxKind.AnyKeyword || type.kind === ts.SyntaxKind.UnknownKeyword) return true;
  // the type of another option, which is checked where it is declared
  if (ts.isIndexedAccessTypeNode(type)) return true;
  return ts.isUnionTypeNode(type) && type.types.some(({ kind }) => kind === ts.SyntaxKind.UndefinedKeyword);
}

/** Optional members that refuse `undefined`, as `Type.member`. */
function refusals(file: string, names: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  for (const statement of source.statements) {
    if (!ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement)) continue;
    const { text } = statement.name;
    if (!OPTIONS.test(text) || !names.has(text)) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isPropertySignature(node) && node.questionToken && !takesUndefined(node.type)) {
        found.push(`${text}.${node.name.getText(source)}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(statement);
  }
  return found;
}

const withReport = publicPackages.filter(({ manifest }) => manifest.exports !== undefined);

it.each(withReport.map(({ name, folder }) => ({ name, folder })))('$name', ({ name, folder }) => {
  const names = exported(name);
  const files = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join(folder, 'src', file));
  expect(files.flatMap((file) => refusals(file, names))).toEqual([]);
});
