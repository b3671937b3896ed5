import '../environments.js';
import { describe, expect, it } from 'vitest';
import { openerOf } from './open-browser.js';
import { resolveEnv } from './resolve-env.js';

describe('short names', () => {
  it.each([
    ['miniworld', 'MiniWorld-FourRooms-v0'],
    ['miniworld/Hallway', 'MiniWorld-Hallway-v0'],
    ['miniworld/hallway', 'MiniWorld-Hallway-v0'],
    ['MiniWorld-Maze', 'MiniWorld-Maze-v0'],
    ['tmaze', 'MiniWorld-TMaze-v0'],
    ['alfworld', 'vlgym/ALFWorld-v1'],
    ['ALFWorld', 'vlgym/ALFWorld-v1'],
    ['webshop', 'vlgym/WebShop-v1'],
    ['blackjack', 'vlgym/Blackjack-v1'],
    ['gym_cards/blackjack', 'gym_cards/Blackjack-v0'],
    ['vlgym/EZPoints-v1', 'vlgym/EZPoints-v1'],
    ['vlgym/NoSuch-v1', 'vlgym/NoSuch-v1'],
  ])('%s is %s', (text, id) => {
    expect(resolveEnv(text)).toBe(id);
  });

  it.each([
    ['miniworld/Halway', 'did you mean "miniworld/hallway"?'],
    ['alfwrld', 'did you mean "alfworld"?'],
    ['chess', 'for example miniworld'],
  ])('says what is meant by %s', (text, hint) => {
    expect(() => resolveEnv(text)).toThrow(hint);
  });
});

it('opens a browser with what the system has, and nothing where no window can open', () => {
  expect(openerOf('linux', {})).toEqual([]);
  expect(openerOf('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toEqual(['xdg-open']);
  expect(openerOf('darwin', {})).toEqual(['open']);
  expect(openerOf('win32', {})[0]).toBe('rundll32');
});
