/** Evaluations as they happen: steps, pieces of answers, episodes. */
export type { EvaluationEvent, EvaluationEventsOptions, PartEvent, StepEvent, TurnName } from './events.js';
export { evaluationEvents } from './stream.js';
