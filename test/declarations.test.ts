/** The environment packages' declarations agree with their registrations. */
import { findRegistration, registeredIds, resolveEnvId, spec } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { environmentPackages } from './support/environments.js';
import { publicPackages } from './support/workspaces.js';

it('each package that lies among the environments declares some', () => {
  const inFolder = publicPackages.filter(({ path }) => path.startsWith('packages/envs/')).map(({ name }) => name);
  expect(environmentPackages.map(({ name }) => name)).toEqual(inFolder);
});

describe.each(environmentPackages)('$name', ({ name, ids }) => {
  it('lists in its package.json what it registers', () => {
    expect([...ids].sort()).toEqual(registeredIds().filter((id) => spec(id).module === name));
  });
});

describe.each(registeredIds())('%s', (id) => {
  const { title, shortNames = [] } = findRegistration(id);

  it('has a title of its own', () => {
    expect(title).toBeTruthy();
    expect(registeredIds().filter((other) => findRegistration(other).title === title)).toEqual([id]);
  });

  it('is meant, in its newest version, by its short names and by its id without the version', () => {
    const bare = id.replace(/-v\d+$/, '');
    const versions = registeredIds().filter((other) => other.replace(/-v\d+$/, '') === bare);
    const version = (other: string) => Number(other.slice(bare.length + 2));
    const newest = versions.sort((a, b) => version(b) - version(a))[0];
    for (const name of [...shortNames, bare.toLowerCase()]) expect(resolveEnvId(name)).toBe(newest);
  });
});

it.each([
  ['miniworld', 'MiniWorld-FourRooms-v0'],
  ['miniworld/hallway', 'MiniWorld-Hallway-v0'],
  ['MiniWorld-Maze', 'MiniWorld-Maze-v0'],
  ['tmaze', 'MiniWorld-TMaze-v0'],
  ['ALFWorld', 'vlgym/ALFWorld-v2'],
  ['webshop', 'vlgym/WebShop-v1'],
  ['cards', 'vlgym/Points24-v1'],
  ['blackjack', 'vlgym/Blackjack-v1'],
  ['gym_cards/blackjack', 'gym_cards/Blackjack-v0'],
])('%s is %s', (text, id) => {
  expect(resolveEnvId(text)).toBe(id);
});
