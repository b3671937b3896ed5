/**
 * The environments that the command line can name: those of the packages it depends on, whose package.json declares
 * some, and those that the user adds by `--import`.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { declaredEnvironments, findRegistration, resolveEnvId } from '@vlgym/core';
// ids with a scheme: `gymnasium:CartPole-v1`, `openenv:http://…`
import '@vlgym/gymnasium';
import '@vlgym/serve';
import { importAll } from './imports.js';

const require = createRequire(import.meta.url);
const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};

for (const name of Object.keys(dependencies)) if (hasEnvironments(name)) await import(/* @vite-ignore */ name);

function hasEnvironments(name: string): boolean {
  try {
    return declaredEnvironments(JSON.parse(readFileSync(require.resolve(`${name}/package.json`), 'utf8'))).length > 0;
  } catch {
    return false; // a package that does not show its package.json
  }
}

export { importAll as importEnvironments, importOption } from './imports.js';

/** The options with everything imported and the environment by its id. */
export async function withEnvironment<T extends { readonly env: string; readonly import: readonly string[] }>(
  options: T,
): Promise<T & { readonly import: string[] }> {
  const imported = await importAll(options.import);
  return { ...options, import: imported, env: resolveEnvId(options.env) };
}

/** Name of an environment for people. */
export const titleOfEnv = (id: string): string => findRegistration(id).title ?? id;
