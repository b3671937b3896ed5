/** TypeScript's verdict on a few files, in this process; what programs have in common is parsed once. */
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './workspaces.js';

const parsed = new Map<string, ts.SourceFile | undefined>();

/** Strict settings of a consumer, as `tsc --init` would write them. */
const STRICT: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
};

export const NODE16: ts.CompilerOptions = {
  ...STRICT,
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
};

export const BUNDLER: ts.CompilerOptions = {
  ...STRICT,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/**
 * Errors in `files` and in the declarations of our packages, one line each. Declarations of others are theirs.
 *
 * @param files  Absolute path → text; paths need not exist on disk.
 */
export function typeErrors(files: Readonly<Record<string, string>>, options: ts.CompilerOptions): string[] {
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => path in files || fileExists(path);
  host.readFile = (path) => files[path] ?? readFile(path);
  host.getSourceFile = (path, language, ...rest) => {
    const text = files[path];
    if (text !== undefined) return ts.createSourceFile(path, text, language);
    const key = JSON.stringify([path, typeof language === 'object' ? language.impliedNodeFormat : undefined]);
    if (!parsed.has(key)) parsed.set(key, getSourceFile(path, language, ...rest));
    return parsed.get(key);
  };
  const program = ts.createProgram(Object.keys(files), options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file === undefined || file.fileName in files || isOurs(file.fileName))
    .map(({ file, start = 0, messageText }) => {
      const line = file ? `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1} ` : '';
      return `${line}${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
}

// those of the driver inside @vlgym/chromium are puppeteer's
const isOurs = (path: string) =>
  /\/(?:node_modules\/(?:@vlgym\/[^/]+|vlgym)|packages\/.+|apps\/[^/]+)\/dist\//.test(path) &&
  !path.includes('/chromium/dist/types/');
