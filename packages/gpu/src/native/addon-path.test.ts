import { expect, it } from 'vitest';
import { addonPath } from './addon-path.js';

it('VLGYM_ADDON names the addon, whatever libtorch is here', () => {
  expect(addonPath({ VLGYM_ADDON: '/opt/vlgym.node' })).toBe('/opt/vlgym.node');
});
