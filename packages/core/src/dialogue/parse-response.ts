/**
 * From a model's response to an action: find the action entry, match it, mark the spans, write a repair hint.
 *
 * Spans follow the `docs/specs/algorithms.md` 3.3: the action span begins at the marker itself (`"action":`, the last
 * one) and runs to the end of the response; the thought span is everything before. Without a marker there is no
 * thought span and the whole response is the action span. The parser never throws and is linear in the response.
 */
import { checkNames, names } from '../options.js';
import type { ParsedResponse, ParseFailure } from './dialogue.js';
import { matchAction } from './match-action.js';
import { type ResponseFormat, readers } from './response-format.js';

export interface ParseOptions {
  /** Default `json`. */
  readonly format?: ResponseFormat | undefined;
  /** All actions as the agent writes them; a parsed action is an index into this list. */
  readonly actions: readonly string[];
  /** False for actions of the list that are not allowed now: they are parsed, but not legal. Default: all are allowed. */
  readonly isAvailable?: ((index: number) => boolean) | undefined;
  /** Key, tag or argument that holds the action. Default `action`. */
  readonly actionKey?: string | undefined;
  /** Keys (`json`), arguments (`tool-call`) or tags that a valid response has besides the action. Default: none; `tags`: `think`. */
  readonly requiredKeys?: readonly string[] | undefined;
  /** Keys of the thought; the first one present wins. */
  readonly thoughtKeys?: readonly string[] | undefined;
}

const THOUGHT_KEYS = ['thoughts', 'thought', 'think', 'thinking', 'reasoning'];

const PARSE_RESPONSE_OPTIONS = names<ParseOptions>({
  format: 0,
  actions: 0,
  isAvailable: 0,
  actionKey: 0,
  requiredKeys: 0,
  thoughtKeys: 0,
});

/**
 * Reads an action out of a model's response.
 *
 * @returns `action` is an index into `actions`. It is absent if none or several were found (`reason` says which) and
 *          present but not `legal` if it is not available now. `formatValid` is strict: one JSON object (or one set
 *          of tags, or one call) with all required keys, the action last, nothing around it.
 *
 * @example
 * parseResponse('{"thoughts": "two more", "action": "+"}', { actions: ['-', '+'] });
 * // { thought: 'two more', action: 1, actionText: '+', legal: true, formatValid: true, spans: { thought: [0, 25], … } }
 */
export function parseResponse(text: string, options: ParseOptions): ParsedResponse<number> {
  checkNames('options', options, PARSE_RESPONSE_OPTIONS);
  const {
    format = 'json',
    actions,
    isAvailable = () => true,
    actionKey = 'action',
    requiredKeys = format === 'tags' ? ['think'] : [],
    thoughtKeys = THOUGHT_KEYS,
  } = options;

  const read = readers[format](text, { actionKey, requiredKeys, thoughtKeys });
  if (!read) {
    const reason = text.trim() === '' ? 'empty' : 'no-action-marker';
    return {
      thought: '',
      actionText: '',
      legal: false,
      formatValid: false,
      spans: { action: [0, text.length] },
      reason,
      repairHint: repairHint(reason, '', { format, actionKey, requiredKeys, allowed: allowed(actions, isAvailable) }),
    };
  }

  const written = matchAction(read.value, actions);
  // JSON has one kind of number: serializers of floats write 10 as 10.0
  const asNumber = written.kind === 'none' && read.number !== undefined;
  const match = asNumber ? matchAction(String(read.number), actions) : written;
  const action = match.kind === 'found' ? match.index : undefined;
  const reason = failure(read.value, match.kind, action !== undefined && isAvailable(action));
  return {
    thought: read.thought ?? text.slice(0, read.marker).trim(),
    ...(action === undefined ? {} : { action }),
    actionText: read.value,
    legal: reason === undefined,
    formatValid: read.valid,
    spans: { thought: [0, read.marker], action: [read.marker, text.length] },
    ...(reason && {
      reason,
      repairHint: repairHint(reason, read.value, {
        format,
        actionKey,
        requiredKeys,
        allowed: allowed(actions, isAvailable),
      }),
    }),
  };
}

/** The same response with its action mapped to another type, e.g. the command at an index. */
export function mapAction<From, To>(parsed: ParsedResponse<From>, map: (action: From) => To): ParsedResponse<To> {
  const { action, ...rest } = parsed;
  return action === undefined ? rest : { ...rest, action: map(action) };
}

function failure(value: string, match: 'found' | 'ambiguous' | 'none', available: boolean): ParseFailure | undefined {
  if (value.trim() === '') return 'no-action';
  if (match === 'none') return 'unknown-action';
  if (match === 'ambiguous') return 'ambiguous-action';
  return available ? undefined : 'unavailable-action';
}

function allowed(actions: readonly string[], isAvailable: (index: number) => boolean): string[] {
  return actions.filter((_action, index) => isAvailable(index));
}

const MAX_LISTED = 60;

interface Asked {
  readonly format: ResponseFormat;
  readonly actionKey: string;
  readonly requiredKeys: readonly string[];
  readonly allowed: readonly string[];
}

/** One or two sentences for the model, bounded in length. */
function repairHint(reason: ParseFailure, value: string, { format, actionKey, requiredKeys, allowed }: Asked): string {
  const written = JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  const complaint = {
    empty: 'Your answer was empty.',
    'no-action-marker': `Your answer has no "${actionKey}" entry.`,
    'no-action': `The "${actionKey}" entry of your answer is empty.`,
    'ambiguous-action': `${written} names more than one action.`,
    'unknown-action': `${written} is not one of the actions.`,
    'unavailable-action': `${written} is not available now.`,
  }[reason];
  const keys = [...requiredKeys.filter((key) => key !== actionKey), actionKey];
  const shape = {
    json: `one JSON object with the keys ${keys.map((key) => `"${key}"`).join(', ')}, nothing around it`,
    tags: keys.map((key) => `<${key}>…</${key}>`).join(''),
    'tool-call': `one tool call with the argument "${actionKey}"`,
  }[format];
  const listed = allowed.slice(0, MAX_LISTED).map((action) => JSON.stringify(action));
  const more = allowed.length > MAX_LISTED ? `, … (${allowed.length} in all)` : '';
  return `${complaint} Answer with ${shape}; "${actionKey}" is exactly one of: ${listed.join(', ')}${more}.`;
}
