/** The events of an evaluation, as they happen: for pages, dashboards and logs. */
import type { EpisodeRow } from '../evaluate/rows.js';
import type { EvaluateOptions, Evaluation, EvaluationProgress } from '../evaluate/types.js';
import type { PartEvent, StepEvent } from './turn-events.js';

export type EvaluationEvent =
  | ({ readonly type: 'step' } & StepEvent)
  | { readonly type: 'part'; readonly part: PartEvent }
  | { readonly type: 'episode'; readonly row: EpisodeRow; readonly progress: EvaluationProgress }
  | { readonly type: 'end'; readonly evaluation: Evaluation };

export type EvaluationEventsOptions = Omit<EvaluateOptions, 'onEpisode' | 'onStep' | 'onPart'> & {
  /** Also pieces of answers, while they are written; requests are streamed then. Default `false`. */
  readonly parts?: boolean | undefined;
};
