/** @vlgym/site/pages: one page in a browser and how models act on it, for environments whose pages are their own. */
export { leaseChromium } from './chromium/lease-chromium.js';
export { clickAction, INPUT_ACTIONS, type PageAction } from './dialogue/page-actions.js';
export { pageDialogue } from './dialogue/page-dialogue.js';
export { BrowserPage } from './page/browser-page.js';
export { INPUTS, type InputTarget, input, inputAction } from './page/input.js';
export type { ElementRole, LivePage, MarkedElement } from './page/live-page.js';
export type { PageChannel } from './page/page-channel.js';
export { PageLostError } from './page/page-lost.js';
export { type BrowserObservation, observePage, pageObservationSpace, pageOptions } from './page/page-observation.js';
export { RetainedPage } from './page/retained-page.js';
export { decodeScreenshot } from './page/screenshot-png.js';
