/** The public interface; `docs/api/viewer.txt` lists it. */
export type { AgentRequest, OpenedAgent, TokenQuestion } from './branch/agents.js';
export { type Exported, type ExportOptions, exportPage } from './export-page.js';
export { type ListedRun, type ListedRuns, listRuns } from './list-runs.js';
export type { EpisodeRow, RunSummary, TokenPlace } from './protocol.js';
export { type ViewerOptions, type Viewing, view } from './view.js';
