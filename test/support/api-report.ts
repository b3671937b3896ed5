/** The exported names of a package with their kinds: what a change of its public interface changes. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { Workspace } from './workspaces.js';

/** `.` and `./testing` of `exports` → the source files that they are built from. */
function entries({ folder, manifest }: Workspace): [specifier: string, file: string][] {
  return Object.keys(manifest.exports ?? {})
    .filter((path) => path !== './package.json')
    .map((path) => {
      const name = path === '.' ? 'index' : path.slice(2);
      const file = [`src/${name}.ts`, `src/${name}/index.ts`].find((file) => existsSync(join(folder, file)));
      if (file === undefined) throw new Error(`${manifest.name}: no source file for the export "${path}"`);
      return [path === '.' ? manifest.name : `${manifest.name}/${name}`, join(folder, file)];
    });
}

/** Names and kinds need no types of other packages or of the platform, which saves most of the time. */
const OPTIONS: ts.CompilerOptions = {
  noLib: true,
  types: [],
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/** One report per package that exports something: its name without the scope → text. */
export function apiReports(workspaces: readonly Workspace[]): Map<string, string> {
  const all = workspaces.map((workspace) => ({ workspace, entries: entries(workspace) }));
  const program = ts.createProgram(
    all.flatMap(({ entries }) => entries.map(([, file]) => file)),
    OPTIONS,
  );
  const reports = all
    .filter(({ entries }) => entries.length > 0)
    .map(({ workspace, entries }): [string, string] => [
      workspace.name.replace(/^@.*\//, ''),
      entries.map(([specifier, file]) => `${specifier}\n${namesOf(program, file).join('')}`).join('\n'),
    ]);
  return new Map(reports);
}

function namesOf(program: ts.Program, file: string): string[] {
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(file)!);
  const symbols = module ? checker.getExportsOfModule(module) : [];
  return symbols
    .map((symbol) => {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      return `  ${symbol.name}: ${kindOf(target.flags)}\n`;
    })
    .sort((a, b) => (a < b ? -1 : 1));
}

function kindOf(flags: ts.SymbolFlags): string {
  if (flags & ts.SymbolFlags.Class) return 'class';
  if (flags & ts.SymbolFlags.Function) return 'function';
  if (flags & ts.SymbolFlags.ValueModule) return 'namespace';
  const value = flags & ts.SymbolFlags.Value ? ['const'] : [];
  const type = flags & ts.SymbolFlags.Type ? ['type'] : [];
  return [...value, ...type].join(' and ') || 'external';
}
