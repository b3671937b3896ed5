import { expect, it } from 'vitest';
import { openerOf } from './open-browser.js';

it('opens a browser with what the system has, and nothing if no window can open', () => {
  expect(openerOf('linux', {})).toEqual([]);
  expect(openerOf('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toEqual(['xdg-open']);
  expect(openerOf('darwin', {})).toEqual(['open']);
  expect(openerOf('win32', {})[0]).toBe('rundll32');
});
