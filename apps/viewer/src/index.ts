/** The public interface; `docs/api/viewer.txt` lists it. */
export type { AgentRequest, OpenedAgent } from './branch/actions.js';
export {
  type EpisodeEnds,
  indexOfSteps,
  type PlacedLine,
  type StepPlace,
  TRAINING_FOLDER,
  TRAINING_INDEX,
  type TrainingIndexLine,
  updateFile,
} from './episodes/training-index.js';
export { type Exported, type ExportOptions, exportPage } from './export-page.js';
export { listRuns } from './list-runs.js';
export type { EpisodeRow, RunSummary } from './protocol.js';
export { type ViewerOptions, type Viewing, view } from './view.js';
