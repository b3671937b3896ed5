/** Changes of `vlgym/WebShopBrowser-v2` to the browser environment. */
import { WebShopBrowserEnv } from './browser-env.js';
import { BROWSER_DEFAULTS, type WebShopBrowserOptions } from './browser-options.js';

export function browserEnvV2({
  catalog = BROWSER_DEFAULTS.catalog,
  ...options
}: WebShopBrowserOptions = {}): WebShopBrowserEnv {
  const named = 'folder' in catalog ? catalog : { wording: 'shop' as const, ...catalog };
  return new WebShopBrowserEnv({ theme: 'market', cart: true, ...options, catalog: named });
}
