/** Options of the shop in a browser. */
import { pageOptions } from '@vlgym/site/pages';
import { DIALOGUE_STYLES } from '@vlgym/site/text';
import { z } from 'zod';
import { shopOptions } from '../env/options.js';
import { themeOptions } from '../themes/theme.js';

export const browserOptions = z.strictObject({
  ...shopOptions,
  ...pageOptions,
  ...themeOptions,
  dialogue: z.union([z.enum(DIALOGUE_STYLES), z.templateLiteral(['browser-', z.enum(DIALOGUE_STYLES)])]).optional(),
});

export type WebShopBrowserOptions = z.input<typeof browserOptions>;

export const BROWSER_DEFAULTS = { catalog: { visual: 0.25 }, goals: 'human' } as const;
