/** Evaluations as they happen: steps, pieces of answers, episodes. */
export type { EvaluationEvent, EvaluationEventsOptions } from './events.js';
export { evaluationEvents } from './stream.js';
export type { PartEvent, StepEvent, TurnName } from './turn-events.js';
