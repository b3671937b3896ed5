/** Options of the shop in a browser. */
import { z } from 'zod';
import { DIALOGUE_STYLES, shopOptions } from '../env/options.js';
import { themeOptions } from '../themes/theme.js';
import { pageOptions } from './page/page-observation.js';

export const browserOptions = z.strictObject({
  ...shopOptions,
  ...pageOptions,
  ...themeOptions,
  dialogue: z.union([z.enum(DIALOGUE_STYLES), z.templateLiteral(['browser-', z.enum(DIALOGUE_STYLES)])]).optional(),
});

export type WebShopBrowserOptions = z.input<typeof browserOptions>;

export const BROWSER_DEFAULTS = { catalog: { visual: 0.25 }, goals: 'human' } as const;
