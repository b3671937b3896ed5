/**
 * Citations in comments and Markdown, and what they lead to.
 *
 * A citation is a document of this repository with section numbers or a heading behind it (`docs/specs/webshop.md` 7.2 and
 * 7.3), the same turned round (section 7.2 of `docs/specs/webshop.md`), a link, or the path of a file.
 * Inside a document of `docs/specs` "section N" is its own. Sections of documents elsewhere are cited with the name of the
 * document (RFC 3720, W3C PNG).
 */
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type { Prose } from './prose.js';

export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly problem: string;
}

interface Outline {
  /** `7`, `7.2`, and `0.3` for the third item of a list under heading 0. */
  readonly numbers: ReadonlySet<string>;
  /** Rows of a table of decisions by number. */
  readonly decisions: ReadonlySet<string>;
  readonly titles: ReadonlySet<string>;
  readonly anchors: ReadonlySet<string>;
}

const NUMBER = '\\d+(?:\\.\\d+)*(?![\\w%°])';
const KIND = '(?:sections? |decisions? )?';
/** In brackets behind a number stands what it is about, or one more of it: "17 (decision 17) and 19". */
const ASIDE = '(?: \\([^()]{0,60}\\))?';
const LIST = `${KIND}${NUMBER}${ASIDE}(?:(?:, and |, | and | to )${KIND}${NUMBER}${ASIDE})*`;
const DOCUMENT = '(?<![\\w/.-])docs/[\\w./-]+\\.md';
const FORWARD = new RegExp(`(${DOCUMENT})(?:#([\\w-]+))?\`?(?:,? (${LIST})|, "([^"]+)")?`, 'g');
const BACKWARD = new RegExp(`(${LIST}) (?:of|in) (?:the )?\`?(${DOCUMENT})`, 'gi');
const OWN = new RegExp(`(?<![\\w/])sections? ${LIST}`, 'gi');
/** Documents elsewhere that have numbered sections. */
/** Files that a reader saves: named so in the text, or in the first line of their code. */
const SAVED = /(?:Save (?:it |this )?as `|\/\/ )([\w-]+\.(?:mjs|ts))\b/g;
const ELSEWHERE = /\b(?:RFC \d+|W3C PNG|UAX #?\d+|ISO \d+)[^.;]{0,80}$/;

/** The anchor of a title in an address. */
export const slug = (title: string): string =>
  title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** Headings, numbered items and numbered rows of a Markdown document. */
export function outlineOf(markdown: string): Outline {
  const numbers = new Set<string>();
  const decisions = new Set<string>();
  const titles = new Set<string>();
  let section = '';
  let inDecisions = false;
  for (const line of markdown.split('\n')) {
    const heading = /^#+ +(.*?) *$/.exec(line)?.[1];
    const item = /^(\d+)\. /.exec(line)?.[1];
    const row = /^\| *(\d+) *\|/.exec(line)?.[1];
    if (heading !== undefined) {
      const [, number, title] = /^(?:(\d+(?:\.\d+)*)\.? )?(.*)$/.exec(heading) ?? [];
      section = number ?? '';
      inDecisions = title === 'Decisions';
      if (number) numbers.add(number);
      titles.add(title ?? heading);
      titles.add(heading);
    } else if (item && section) numbers.add(`${section}.${item}`);
    else if (row && inDecisions) decisions.add(row);
  }
  return { numbers, decisions, titles, anchors: new Set([...titles].map(slug)) };
}

/** Reads the documents and knows the files of one repository. */
export class Citations {
  readonly #root: string;
  readonly #files: ReadonlySet<string>;
  readonly #folders = new Set<string>();
  readonly #endings = new Set<string>();
  readonly #outlines = new Map<string, Outline>();

  constructor(root: string, files: readonly string[]) {
    this.#root = root;
    this.#files = new Set(files);
    for (const file of files) {
      const parts = file.split('/');
      for (let length = 1; length < parts.length; length++) this.#folders.add(parts.slice(0, length).join('/'));
      for (let from = 0; from < parts.length; from++) this.#endings.add(parts.slice(from).join('/'));
    }
  }

  /** References in the prose without a target. */
  check(prose: Prose): Finding[] {
    const findings: Finding[] = [];
    const { file, text } = prose;
    const report = (offset: number, problem: string) => findings.push({ file, line: prose.lineAt(offset), problem });
    let rest = text;
    /** Blanks out what was read, so that it is not read again as something else; offsets stay valid. */
    const consume = (start: number, length: number) => {
      rest = rest.slice(0, start) + ' '.repeat(length) + rest.slice(start + length);
    };

    for (const match of text.matchAll(BACKWARD)) {
      const [whole, list, path] = match as unknown as [string, string, string];
      if (!/^(?:section|decision)/i.test(list)) continue;
      for (const problem of this.#missing(path, list)) report(match.index, problem);
      consume(match.index, whole.length - path.length);
    }
    for (const match of rest.matchAll(FORWARD)) {
      const [whole, path, anchor, list, title] = match as unknown as [string, string, ...(string | undefined)[]];
      for (const problem of this.#missing(path, list, title, anchor)) report(match.index, problem);
      consume(match.index, whole.length);
    }
    const isSpecification = file.startsWith('docs/specs/');
    for (const match of rest.matchAll(OWN)) {
      if (ELSEWHERE.test(rest.slice(0, match.index))) continue;
      if (isSpecification) for (const problem of this.#missing(file, match[0])) report(match.index, problem);
      else report(match.index, `"${match[0]}" of which document?`);
    }
    if (!isSpecification) {
      const word = /\bspecifications?\b/i;
      const found = word.exec(rest);
      if (found) report(found.index, `"${found[0]}" names no document: cite docs/specs/….md and a section`);
    }
    for (const { offset, problem } of this.#paths(rest, file)) report(offset, problem);
    if (prose.isMarkdown) for (const { offset, problem } of this.#links(text, file)) report(offset, problem);
    return findings;
  }

  *#missing(path: string, list = '', title?: string, anchor?: string): Generator<string> {
    const outline = this.#outline(path);
    if (!outline) {
      yield `${path} does not exist`;
      return;
    }
    for (const { kind, number } of numbersOf(list)) {
      const known = kind === 'decision' ? outline.decisions : outline.numbers;
      if (!known.has(number)) yield `${path} has no ${kind} ${number}`;
    }
    if (title !== undefined && !outline.titles.has(title)) yield `${path} has no heading "${title}"`;
    if (anchor !== undefined && !outline.anchors.has(anchor)) yield `${path} has no heading #${anchor}`;
  }

  #outline(path: string): Outline | undefined {
    const known = this.#outlines.get(path);
    if (known) return known;
    if (!path.endsWith('.md') || !this.#files.has(path)) return undefined;
    const outline = outlineOf(readFileSync(join(this.#root, path), 'utf8'));
    this.#outlines.set(path, outline);
    return outline;
  }

  /** Paths of this repository in running text. */
  *#paths(text: string, file: string): Generator<{ offset: number; problem: string }> {
    const absolute = /(?<![\w/.@:-])(?:docs|test|packages|apps|scripts|examples|bench)\/[\w./*<>{},-]*[\w*>}/]/g;
    for (const match of text.matchAll(absolute)) {
      const missing = expanded(match[0]).filter((path) => !this.#exists(path, file));
      for (const path of missing) yield { offset: match.index, problem: `${path} does not exist` };
    }
    const source = /(?<![\w/.@<*{-])[\w-]+(?:[/.][\w-]+)*\.(?:ts|mjs)\b(?![\w(])/g;
    const saved = new Set([...text.matchAll(SAVED)].map(([, name]) => name));
    for (const match of text.matchAll(source)) {
      if (saved.has(match[0])) continue;
      if (/^(?:docs|test|packages|apps|scripts|examples|bench)\//.test(match[0])) continue;
      if (!this.#endings.has(match[0])) yield { offset: match.index, problem: `unknown file ${match[0]}` };
    }
    const document = /(?<![\w/.@<*-])(?:[\w-]+\/)*[\w-]+\.md\b/g;
    for (const match of text.matchAll(document)) {
      if (/^(?:docs|test|packages|apps|scripts|examples)\//.test(match[0]) || WRITTEN.has(match[0])) continue;
      if (!this.#exists(match[0], file)) yield { offset: match.index, problem: `unknown document ${match[0]}` };
    }
  }

  /** Seen from the root, or from any folder that the file lies in. */
  #exists(path: string, file: string): boolean {
    const fixed = path.split('/').filter(Boolean);
    const open = fixed.findIndex((part) => /[*<>]/.test(part));
    const wanted = (open < 0 ? fixed : fixed.slice(0, open)).join('/');
    for (let folder = dirname(file); ; folder = dirname(folder)) {
      const candidate = folder === '.' ? wanted : `${folder}/${wanted}`;
      if (this.#files.has(candidate) || this.#folders.has(candidate)) return true;
      if (folder === '.') return false;
    }
  }

  *#links(text: string, file: string): Generator<{ offset: number; problem: string }> {
    for (const match of text.matchAll(/\]\(([^()\s]+)\)/g)) {
      const [address = '', anchor] = (match[1] ?? '').split('#');
      if (/^[a-z]+:/.test(address)) continue;
      const target = address === '' ? file : posix.join(posix.dirname(file), address).replace(/\/$/, '');
      const offset = match.index;
      const document = this.#folders.has(target) ? `${target}/README.md` : target;
      if (!this.#files.has(target) && !this.#folders.has(target)) yield { offset, problem: `${target} does not exist` };
      else if (anchor !== undefined && !this.#outline(document)?.anchors.has(anchor))
        yield { offset, problem: `${target} has no heading #${anchor}` };
    }
  }
}

/** Documents that the program writes. */
const WRITTEN = new Set(['table.md', 'report.md', 'CHANGELOG.md']);

/** Every choice of `{…,…}` in a path. */
function expanded(path: string): string[] {
  const [whole, choices] = /\{([^{}]*)\}/.exec(path) ?? [];
  if (whole === undefined || choices === undefined) return [path];
  return choices.split(',').flatMap((choice) => expanded(path.replace(whole, choice)));
}

interface CitedNumber {
  readonly kind: 'section' | 'decision';
  readonly number: string;
}

/** "7.2 to 7.4, 9 and decision 3" → each of them. */
export function numbersOf(list: string): CitedNumber[] {
  const numbers: CitedNumber[] = [];
  let kind: CitedNumber['kind'] = 'section';
  let isRange = false;
  for (const [token] of list.matchAll(new RegExp(`sections?|decisions?|\\bto\\b|${NUMBER}|\\)`, 'gi'))) {
    if (/^decision/i.test(token)) kind = 'decision';
    else if (token === ')' || /^section/i.test(token)) kind = 'section';
    else if (token === 'to') isRange = true;
    else {
      const first = isRange ? numbers.at(-1)?.number : undefined;
      numbers.push(...(first === undefined ? [] : between(first, token)).map((number) => ({ kind, number })));
      numbers.push({ kind, number: token });
      isRange = false;
    }
  }
  return numbers;
}

/** The numbers between 7.2 and 7.5: 7.3 and 7.4. */
function between(first: string, last: string): string[] {
  const split = (number: string) =>
    [number.slice(0, number.lastIndexOf('.') + 1), Number(number.split('.').at(-1))] as const;
  const [[prefix, from], [other, to]] = [split(first), split(last)];
  return prefix === other
    ? Array.from({ length: Math.max(0, to - from - 1) }, (_, k) => `${prefix}${from + 1 + k}`)
    : [];
}
