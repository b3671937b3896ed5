/** The claims of the package.json files, compared with the sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { declaredEnvironments } from '@vlgym/core';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { closure, ourDependencies, publicPackages, type Workspace } from './support/workspaces.js';

/** Declared and never imported by name, each for a reason. */
const NOT_IMPORTED: Readonly<Record<string, string>> = {
  'node-api-headers': 'its C headers go into the compilation of the addon',
  '@fontsource-variable/inter': 'the font of the shop, whose files are read',
  ai: 'the AI SDK, loaded by @vlgym/agents',
  '@ai-sdk/openai-compatible': 'loaded by @vlgym/agents for `vlgym eval --agent openai`',
};

/** Imported, and put into the files that are published. */
const BUNDLED: Readonly<Record<string, readonly string[]>> = { '@vlgym/chromium': ['puppeteer-core'] };

/** Specifiers of static and dynamic imports in the published sources. */
function imports({ folder }: Workspace): Set<string> {
  const files = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/(^|\/)fixtures\//.test(file),
  );
  const specifiers = files.flatMap((file) => {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(folder, 'src', file), 'utf8'));
    return importedFiles.map(({ fileName }) => fileName).filter((name) => !name.startsWith('.'));
  });
  return new Set(specifiers.map((specifier) => specifier.match(/^(@[^/]+\/)?[^/]+/)![0]));
}

/** The command line imports every dependency that declares environments, by that declaration. */
const environmentsOf = (name: string) =>
  publicPackages.some(({ name: other, manifest }) => other === name && declaredEnvironments(manifest).length > 0);

/** All but the renderer, which needs nothing of ours. */
const needsCore = (workspace: Workspace) => closure(workspace).some(({ name }) => name === '@vlgym/core');

const isBuiltin = (name: string) => name.startsWith('node:') || builtinModules.includes(name);
const keys = (record: object | undefined) => Object.keys(record ?? {});

describe.each(publicPackages)('$name', (workspace) => {
  const { manifest } = workspace;
  const imported = imports(workspace);
  const declared = [
    ...keys(manifest.dependencies),
    ...keys(manifest.peerDependencies),
    ...(BUNDLED[manifest.name] ?? []),
  ];

  it('declares every package that it imports', () => {
    const undeclared = [...imported].filter((name) => !isBuiltin(name) && !declared.includes(name));
    expect(undeclared).toEqual([]);
  });

  it('imports every dependency that it declares', () => {
    const unused = keys(manifest.dependencies).filter((name) => !imported.has(name) && !(name in NOT_IMPORTED));
    expect(unused.filter((name) => manifest.name !== 'vlgym' || !environmentsOf(name))).toEqual([]);
  });

  it('needs nothing of ours that needs it', () => {
    for (const dependency of ourDependencies(workspace)) expect(closure(dependency)).not.toContain(workspace);
  });

  it('says on its page of the registry what it is about and where it comes from', () => {
    const { keywords, homepage, bugs } = JSON.parse(
      readFileSync(join(workspace.folder, 'package.json'), 'utf8'),
    ) as Record<string, unknown>;
    expect(keywords).toEqual(expect.arrayContaining(['reinforcement-learning', 'agents']));
    expect(homepage).toBe(`https://github.com/vlgym/vlgym/tree/main/${workspace.path}#readme`);
    expect(bugs).toBe('https://github.com/vlgym/vlgym/issues');
  });

  it('states the Node versions that it runs on', () => {
    expect(manifest.engines).toEqual({ node: '>=20.19' });
  });
});

it.each(publicPackages.filter(needsCore))(
  '$name asks for the zod that @vlgym/core asks for, so that there is one',
  ({ manifest }) => {
    expect(manifest.peerDependencies?.zod ?? manifest.dependencies?.zod).toMatch(/^\^4\./);
  },
);

describe('the arrows', () => {
  const needs = (name: string) =>
    closure(publicPackages.find((each) => each.name === name)!)
      .map((each) => each.name)
      .sort();

  it('give environments core, and at most the renderer, Chromium and its pages beside it', () => {
    const envs = publicPackages.filter(({ path }) => path.startsWith('packages/envs/'));
    expect(envs.length).toBeGreaterThan(0);
    for (const { name } of envs) {
      const shared = ['@vlgym/core', '@vlgym/render', '@vlgym/chromium', '@vlgym/site'];
      expect(needs(name)).toContain('@vlgym/core');
      expect(needs(name).filter((other) => ![...shared, name].includes(other))).toEqual([]);
    }
  });

  it('keep algorithms apart from libtorch', () => {
    const algorithms = publicPackages.filter(({ path }) => path.startsWith('packages/algos/'));
    expect(algorithms.length).toBeGreaterThan(0);
    for (const { name } of algorithms) {
      expect(needs(name)).not.toContain('@vlgym/gpu');
      expect(needs(name)).not.toContain('@vlgym/models');
    }
  });

  it('keep libtorch apart from models: tensors need core only', () => {
    expect(needs('@vlgym/gpu')).toEqual(['@vlgym/core', '@vlgym/gpu']);
  });

  it('keep agents to core', () => {
    expect(needs('@vlgym/agents')).toEqual(['@vlgym/agents', '@vlgym/core']);
  });
});
