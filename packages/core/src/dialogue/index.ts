/** Dialogues: prompts of an environment, how answers are read, published rules. */
export { adaptDialogue, type DialogueChanges } from './adapt-dialogue.js';
export {
  type AnswerConstraint,
  answerConstraint,
  type ConstraintKind,
  ConstraintUnsupportedError,
  constraintKind,
  type EndingConstraint,
  type SchemaConstraint,
} from './answer-constraint.js';
export {
  BALROG_AGENTS,
  type BalrogAgent,
  type BalrogObservation,
  type BalrogOptions,
  type BalrogTurn,
  balrogAction,
  balrogMessages,
} from './balrog.js';
export { type BalrogGame, balrogDialogue } from './balrog-dialogue.js';
export type {
  ChatMessage,
  ChatPart,
  Dialogue,
  DialogueTool,
  ParsedResponse,
  ParseFailure,
  PromptContext,
  Span,
  Turn,
} from './dialogue.js';
export { type ActionMatch, matchAction } from './match-action.js';
export { messageText, promptImages } from './messages.js';
export { mapAction, type ParseOptions, parseResponse } from './parse-response.js';
export {
  type CardRuleOptions,
  type CommandRuleOptions,
  type MissingMarker,
  rl4vlmCardAction,
  rl4vlmCommand,
} from './published-rules.js';
export { isUnreadable, readResponse, thoughtEntries, withCheckedThought } from './read-response.js';
export type { ResponseFormat } from './response-format.js';
export { type SpaceDialogueOptions, spaceDialogue } from './space-dialogue.js';
export { type TokenSpans, tokenSpans } from './token-spans.js';
