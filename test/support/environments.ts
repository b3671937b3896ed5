/** Registers the environments of every package of ours that declares some. */
import { declaredEnvironments } from '@vlgym/core';
import { publicPackages } from './workspaces.js';

export const environmentPackages = publicPackages
  .map(({ name, manifest }) => ({ name, ids: declaredEnvironments(manifest) }))
  .filter(({ ids }) => ids.length > 0);

for (const { name } of environmentPackages) await import(/* @vite-ignore */ name);
