/** The GitHub workflow does what CONTRIBUTING.md says, on the oldest Node that the packages allow. It was never run there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '../apps/cli/src/command-line/config-file.js';
import { ROOT } from './support/workspaces.js';

interface Workflow {
  readonly jobs: {
    readonly test: {
      readonly env: { readonly VLGYM_TESTS?: string };
      readonly strategy: { readonly matrix: { readonly node: readonly (string | number)[] } };
      readonly steps: readonly { readonly run?: string; readonly with?: { readonly key?: string } }[];
    };
  };
}

it('the workflow runs the command of CONTRIBUTING.md with the long tests, from the oldest Node on, and hashes folders that are there', () => {
  expect(readdirSync(join(ROOT, '.github/workflows'))).toEqual(['test.yml']);
  const { test } = (readConfig(join(ROOT, '.github/workflows/test.yml')) as unknown as Workflow).jobs;
  const command = test.steps.at(-1)!.run!;
  expect(command).toBe('npm test');
  expect(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')).toContain(`\n${command} `);
  expect(readFileSync(join(ROOT, '.ci/run'), 'utf8').trim().split('\n').slice(-2)).toEqual([
    'export VLGYM_TESTS=all',
    command,
  ]);
  expect(test.env.VLGYM_TESTS).toBe('all');

  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${String(test.strategy.matrix.node[0]).replace(/\.0$/, '')}`);

  const folders = test.steps.flatMap((step) => [...(step.with?.key ?? '').matchAll(/'([^']+)\/\*\*'/g)]);
  expect(folders.length).toBeGreaterThan(0);
  for (const [, folder] of folders) expect(existsSync(join(ROOT, folder!)), folder).toBe(true);
});
