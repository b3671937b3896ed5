/** Info of the browser environments, in addition to the observation. */
import type { WebShopInfo } from '../env/info.js';

export type BrowserInfo = WebShopInfo & {
  /** Requests of this episode that would have left the shop. */
  blockedRequests: number;
  /** The reason why the episode was truncated. */
  lost?: string;
};
