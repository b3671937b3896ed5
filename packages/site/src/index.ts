/**
 * @vlgym/site: any web site in a real browser as an environment, with your tasks and your judge. Needs a Chromium.
 *
 * `@vlgym/site/pages` has the parts of environments that serve pages themselves, `@vlgym/site/text` what needs no browser.
 */
export { ChromiumLaunchError, ChromiumMissingError } from '@vlgym/chromium';
export { SiteActionSpace } from './actions/site-action-space.js';
export { SITE_CALLS, type SiteAction } from './actions/site-actions.js';
export { SITE_TOOLS } from './dialogue/page-actions.js';
export type { DialogueStyle } from './dialogue/styles.js';
export type { ActionTool } from './dialogue/tools.js';
export { SiteEnv, type SiteOptions } from './env/site-env.js';
export type { SiteInfo } from './env/site-info.js';
export type { SiteLook, SiteTask, SiteVerdict } from './env/site-task.js';
export type { Tab } from './env/tabs.js';
export { type BrowserGymObservation, browserGymObservation, type ElementProperties } from './observation/browsergym.js';
export type { AnsweredDialog, SiteObservation } from './observation/site-observation.js';
export type { SiteElement } from './observation/site-view.js';
export type { ElementRole, MarkedElement } from './page/live-page.js';
export type { BrowserObservation } from './page/page-observation.js';
