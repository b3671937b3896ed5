/** Imports within a package go one way, types included, but for the circles that ARCHITECTURE.md explains. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { ROOT } from './support/workspaces.js';

const EXPLAINED = ['packages/core/src/spaces', 'packages/envs/minigrid/src/world', 'packages/gpu/src/tensor'];

const files = execFileSync('git', ['ls-files', 'packages', 'apps'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\/(?:src|page)\/.*\.tsx?$/.test(file) && !/\.(?:test|d)\.tsx?$/.test(file))
  .filter((file) => existsSync(join(ROOT, file)));
const known = new Set(files);

function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(ROOT, file), 'utf8'));
  return importedFiles.flatMap(({ fileName }) => {
    if (!fileName.startsWith('.')) return [];
    const path = join(dirname(file), fileName).replace(/\.jsx?$/, '');
    return [`${path}.ts`, `${path}.tsx`].filter((each) => known.has(each));
  });
}

/** Sets of files that reach each other (Tarjan's strongly connected components). */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    open.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (open.includes(next)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}

it('files have no circles of imports but those that ARCHITECTURE.md explains', () => {
  const circles = circlesOf(new Map(files.map((file) => [file, importsOf(file)])));
  const others = circles.filter(
    (circle) => !EXPLAINED.some((folder) => circle.every((file) => file.startsWith(folder))),
  );
  expect(others).toEqual([]);
  expect(circles).toHaveLength(EXPLAINED.length);
  const map = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  for (const folder of EXPLAINED) expect(map).toContain(`\`${folder}\`, because`);
});

it('a circle is found', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['b', 'd']],
    ['d', []],
  ]);
  expect(circlesOf(graph)).toEqual([['b', 'c']]);
});

it('folders have at most 20 source files, and files at most 300 lines but tables', () => {
  const count = new Map<string, number>();
  for (const file of files) count.set(dirname(file), (count.get(dirname(file)) ?? 0) + 1);
  expect([...count].filter(([, size]) => size > 20)).toEqual([]);
  const long = files.filter((file) => readFileSync(join(ROOT, file), 'utf8').trimEnd().split('\n').length > 300);
  expect(long.sort()).toEqual(TABLES);
});

/** Long because they list something: numbers, models of things. */
const TABLES = [
  'packages/core/src/random/ziggurat-tables.generated.ts',
  'packages/envs/alfworld/src/pictures/models/belongings.ts',
  'packages/envs/webshop/src/pictures/models/fashion.ts',
];
