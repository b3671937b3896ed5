/**
 * Every citation leads somewhere: documents and their sections, links, paths of files, and commands.
 *
 * Comments may cite only what a reader of this repository can open, or a source elsewhere by its name.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Citations, numbersOf, outlineOf, slug } from './support/citations.js';
import { type Prose, proseIn, proseOf, repositoryFiles } from './support/prose.js';
import { ROOT } from './support/workspaces.js';

const files = repositoryFiles(ROOT);
const citations = new Citations(ROOT, files);
const prose: readonly Prose[] = files.flatMap((file) => proseOf(ROOT, file));

const problemsIn = (source: string, file = 'packages/core/src/made-up.ts') =>
  proseIn(file, source).flatMap((text) => citations.check(text).map(({ problem, line }) => `${line}: ${problem}`));
const comment = (text: string) => `/** ${text} */`;

describe('this repository', () => {
  it('has citations to check', () => {
    const cited = prose.filter(({ text }) => text.includes('docs/specs/'));
    expect(new Set(cited.map(({ file }) => file)).size).toBeGreaterThan(50);
  });

  it('cites only what is there', () => {
    const findings = prose.flatMap((text) => citations.check(text));
    expect(findings.map(({ file, line, problem }) => `${file}:${line}: ${problem}`)).toEqual([]);
  });

  it('names only commands that it has', () => {
    const scripts = files
      .filter((file) => file.endsWith('package.json'))
      .flatMap((file) => Object.keys(JSON.parse(readFileSync(join(ROOT, file), 'utf8')).scripts ?? {}));
    const commands = readdirSync(join(ROOT, 'apps/cli/src/commands'), { recursive: true, encoding: 'utf8' }).map(
      (file) => basename(file, '.ts'),
    );
    const unknown = (pattern: RegExp, known: readonly string[]) =>
      prose
        .filter(({ isMarkdown, file }) => isMarkdown && !file.startsWith('.changeset/'))
        .flatMap(({ file, text }) =>
          [...text.matchAll(pattern)].map(([whole, name]) => ({ file, whole, name: name ?? '' })),
        )
        .filter(({ name }) => !known.includes(name))
        .map(({ file, whole }) => `${file}: ${whole}`);
    expect(unknown(/npm run ([\w:-]+)/g, scripts)).toEqual([]);
    expect(unknown(/(?:npx |`)vlgym ([a-z][\w-]*)/g, commands)).toEqual([]);
  });
});

describe('a citation', () => {
  it.each([
    'Rules: `docs/specs/algorithms.md` 7.2, 7.3 and 7.6; arXiv 2306.01708, algorithm 1.',
    'Rules: `docs/specs/algorithms.md`, sections 5 to 7.',
    'Rules: `docs/specs/algorithms.md` 3.2, 17 (decision 17) and 19.',
    'Order as in section 18 of `docs/specs/algorithms.md`: first this.',
    'The step record (`docs/specs/algorithms.md` 0.1 and section 1).',
    'Intervals: docs/statistics.md, "Success rates".',
    'See docs/splits.md#what-a-key-is and `docs/reliability.md`.',
    'Chunks follow W3C PNG, third edition, sections 5.3 and 9; check value of RFC 3720, section 12.1.',
    'Pinned by `test/golden/algos/{gae,vldac}.json`, made in packages/envs/*, not in `packages/envs/<name>`.',
  ])('is found: %s', (text) => expect(problemsIn(comment(text))).toEqual([]));

  it.each([
    ['Rules: `docs/specs/algorithms.md` 7.2 and 99.1.', 'docs/specs/algorithms.md has no section 99.1'],
    ['Rules: `docs/specs/algorithms.md`, sections 5 to 7, 18 and 88.', 'docs/specs/algorithms.md has no section 88'],
    ['Rules: `docs/specs/algorithms.md` 6.3 to 6.7.', 'docs/specs/algorithms.md has no section 6.6'],
    ['Rules: `docs/specs/algorithms.md`, decision 99.', 'docs/specs/algorithms.md has no decision 99'],
    ['As section 9.99 of `docs/specs/webshop.md` says.', 'docs/specs/webshop.md has no section 9.99'],
    ['Intervals: docs/statistics.md, "Made up".', 'docs/statistics.md has no heading "Made up"'],
    ['See docs/splits.md#made-up.', 'docs/splits.md has no heading #made-up'],
    ['Rules: `docs/specs/made-up.md` 1.', 'docs/specs/made-up.md does not exist'],
    ['Rules: gym-cards.md, 8.2.', 'unknown document gym-cards.md'],
    ['Where design.md is silent.', 'unknown document design.md'],
    ['The action grammar of section 4.5.', '"section 4.5" of which document?'],
    ['Light follows the specification.', '"specification" names no document: cite docs/specs/….md and a section'],
    ['After the WebShop specification.', '"specification" names no document: cite docs/specs/….md and a section'],
    ['Pinned by `test/golden/made-up.json`.', 'test/golden/made-up.json does not exist'],
    ['Pinned by `made-up.test.ts`.', 'unknown file made-up.test.ts'],
  ])('leads nowhere: %s', (text, problem) => expect(problemsIn(comment(text))).toContain(`1: ${problem}`));

  it('is read across lines and reported on its own', () => {
    const source = [
      'export {};',
      '/**',
      ' * Rules: `docs/specs/algorithms.md` 3.2',
      ' * and',
      ' * 99.2. See `gone.ts`.',
      ' */',
    ];
    expect(problemsIn(source.join('\n'))).toEqual([
      '3: docs/specs/algorithms.md has no section 99.2',
      '5: unknown file gone.ts',
    ]);
  });

  it.each([
    ['const wait = 5; // as in docs/gone.md', '1: docs/gone.md does not exist'],
    ['# as in docs/gone.md', '1: docs/gone.md does not exist'],
  ])('is read behind and between code: %s', (source, problem) => {
    const file = source.startsWith('#') ? 'packages/core/made-up.sh' : 'packages/core/src/made-up.ts';
    expect(problemsIn(source, file)).toEqual([problem]);
  });
});

describe('a Markdown document', () => {
  it.each([
    ['[key](docs/splits.md#what-a-key-is)', []],
    ['[here](#a-title-of-its-own)', ['1: README.md has no heading #a-title-of-its-own']],
    ['[gone](docs/gone.md)', ['1: docs/gone.md does not exist', '1: docs/gone.md does not exist']],
    ['[folder](packages/core) and [page](https://example.org/docs/gone)', []],
  ])('has links that lead somewhere: %s', (text, problems) => expect(problemsIn(text, 'README.md')).toEqual(problems));

  it('is outlined by numbered headings, items and decisions', () => {
    const { numbers, decisions, titles } = outlineOf(
      '# T\n## 0. Traps\n1. one\n2. two\n### 3.1 Loss\n   1. inner\n## 17. Decisions\n| # | what |\n| 4 | this |\n',
    );
    expect([...numbers]).toEqual(['0', '0.1', '0.2', '3.1', '17']);
    expect([...decisions]).toEqual(['4']);
    expect(titles).toContain('Loss');
  });

  it('has titles with addresses as GitHub makes them', () => {
    expect(slug('What a `key` is: `a_b`, 95 %')).toBe('what-a-key-is-a_b-95-');
  });

  it('may cite ranges and lists', () => {
    const numbers = numbersOf('7.2 to 7.4, 9 (decision 17) and decision 3').map(
      ({ kind, number }) => `${kind} ${number}`,
    );
    expect(numbers).toEqual(['section 7.2', 'section 7.3', 'section 7.4', 'section 9', 'decision 17', 'decision 3']);
  });
});
