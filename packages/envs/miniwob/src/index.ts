/**
 * @vlgym/miniwob: MiniWoB++, 125 small web tasks in Chromium, exact to the seed. Importing it registers the environment.
 *
 * Needs a Chromium and the pages of the Python package miniwob (`setupPages`).
 */
import './register.js';

export type { MiniWoBInfo } from './env/info.js';
export { MiniWoBEnv } from './env/miniwob-env.js';
export type { MiniWoBObservation } from './env/observation.js';
export type { MiniWoBOptions, MiniWoBStyle } from './env/options.js';
export { expertTasks } from './expert/expert.js';
export { MiniWoBPageError, MiniWoBPagesMissingError } from './pages/errors.js';
export { MINIWOB_VERSION, pagesFolder } from './pages/pages-folder.js';
export { type SetupPages, type SetupPagesOptions, setupPages } from './pages/setup-pages.js';
export { KINDS, type MiniWoBTask, TASKS, type TaskKind } from './tasks/tasks.js';
