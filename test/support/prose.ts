/** All prose in this repository: Markdown files and comments, with their line numbers. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';

/** A Markdown file, or comment lines that follow each other. */
export interface Prose {
  /** Path from the root of the repository. */
  readonly file: string;
  /** One line: line breaks are blanks, comment marks are left out. */
  readonly text: string;
  readonly isMarkdown: boolean;
  /** The line of the file that a place of the text stands on, from 1. */
  lineAt(offset: number): number;
}

const FOLDERS = ['.changeset', '.ci', '.github', 'apps', 'docs', 'examples', 'packages', 'python', 'scripts', 'test'];
const SKIPPED = new Set(['node_modules', 'dist', 'build', '.turbo']);
const MARKS = {
  slashes: /^\s*(?:\/\*\*?|\*\/|\*|\/\/\/?)/,
  hash: /^\s*#/,
  /** Docstrings are strings: every line counts. */
  none: /^/,
} as const;
const LANGUAGES: Readonly<Record<string, keyof typeof MARKS>> = {
  '.ts': 'slashes',
  '.mjs': 'slashes',
  '.js': 'slashes',
  '.cpp': 'slashes',
  '.h': 'slashes',
  '.as': 'slashes',
  '.py': 'none',
  '.sh': 'hash',
};

/** Every file of the repository, as paths from its root; what builds and tools leave behind is left out. */
export function repositoryFiles(root: string): string[] {
  const files: string[] = readdirSync(root).filter((name) => statSync(join(root, name)).isFile());
  for (const folder of FOLDERS.filter((name) => existsSync(join(root, name)))) collect(root, folder, files);
  return files.sort();
}

function collect(root: string, folder: string, files: string[]): void {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      // vectors are data: their names count, their contents do not
      if (!SKIPPED.has(entry.name)) collect(root, path, files);
    } else files.push(path);
  }
}

/** All prose of a file; none where its language is not known. */
export function proseOf(root: string, file: string): Prose[] {
  const language = LANGUAGES[extname(file)];
  if (extname(file) !== '.md' && !language) return [];
  return proseIn(file, readFileSync(join(root, file), 'utf8'));
}

/** The same of a text that stands for the contents of `file`. */
export function proseIn(file: string, source: string): Prose[] {
  const lines = source.split('\n');
  if (extname(file) === '.md') return [prose(file, lines, 1, true)];
  const language = LANGUAGES[extname(file)];
  if (!language) return [];
  const mark = MARKS[language];
  const found: Prose[] = [];
  let block: string[] = [];
  const close = (next: number) => {
    if (block.length > 0) found.push(prose(file, block, next - block.length + 1, false));
    block = [];
  };
  for (const [index, line] of lines.entries()) {
    if (mark.test(line)) block.push(line.replace(mark, '').replace(/\*\/\s*$/, ''));
    else {
      close(index);
      // behind code; a quote after the slashes says that they stand in a string
      const behind = language === 'slashes' ? /\S\s+\/\/ ([^'"`]*)$/.exec(line) : undefined;
      if (behind?.[1]) found.push(prose(file, [behind[1]], index + 1, false));
    }
  }
  close(lines.length);
  return found;
}

function prose(file: string, lines: readonly string[], first: number, isMarkdown: boolean): Prose {
  const starts: number[] = [];
  let text = '';
  for (const line of lines) {
    starts.push(text.length);
    text += `${isMarkdown ? line : line.trim()} `;
  }
  const lineAt = (offset: number) => first + starts.findLastIndex((start) => start <= offset);
  return { file, text, isMarkdown, lineAt };
}
