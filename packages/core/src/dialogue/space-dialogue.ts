/**
 * A dialogue for any environment: it shows the observation (or its picture) and asks for one action of the space.
 *
 * Environments that come without words, such as those of Python's Gymnasium, are played by language models and people
 * through it. The prompt and the parser are fixed by the spaces and the given names; a changed word is a new version.
 */
import type { Info } from '../env.js';
import type { Image } from '../image.js';
import { isImage } from '../images/is-image.js';
import { checkNames, names } from '../options.js';
import type { DiscreteSpace } from '../spaces/discrete.js';
import { isKind } from '../spaces/kinds.js';
import type { Space } from '../spaces/space.js';
import { isRecord } from '../type-tests.js';
import type { ChatPart, Dialogue, ParsedResponse, PromptContext } from './dialogue.js';
import { mapAction, parseResponse } from './parse-response.js';

export interface SpaceDialogueOptions {
  /** Name of the game, for the first line of the prompt. */
  readonly title: string;
  readonly observationSpace: Space;
  readonly actionSpace: Space;
  /** Names of the actions of a discrete space, in its order; default its labels or its numbers. */
  readonly actionNames?: readonly string[] | undefined;
  /** The picture of the current state, for observations that are not pictures. */
  readonly picture?: (() => Image | undefined) | undefined;
}

const MAX_OBSERVATION = 4000;
const MAX_HISTORY = 8;

const SPACE_DIALOGUE_OPTIONS = names<SpaceDialogueOptions>({
  title: 0,
  observationSpace: 0,
  actionSpace: 0,
  actionNames: 0,
  picture: 0,
});

/** The generic dialogue: one JSON object with `thoughts` and `action`. */
export function spaceDialogue(options: SpaceDialogueOptions): Dialogue {
  checkNames('options', options, SPACE_DIALOGUE_OPTIONS);
  const { title, actionSpace } = options;
  const names = isKind(actionSpace, 'discrete') ? namesOf(actionSpace, options.actionNames) : undefined;
  const first = isKind(actionSpace, 'discrete') ? actionSpace.start : 0;
  const actions = names
    ? `exactly one of: ${names.map((name) => JSON.stringify(name)).join(', ')}`
    : `${actionSpace.describe()}, as JSON data of the schema ${JSON.stringify(schemaOf(actionSpace))}`;
  return {
    version: 'space/json-v1',
    prompt: (context) => [
      {
        role: 'system',
        content: `You play ${title}. Answer with one JSON object: {"thoughts": "…", "action": …}. "action" is ${actions}.`,
      },
      { role: 'user', content: observed(context, options) },
    ],
    parse: (text) =>
      names
        ? mapAction(parseResponse(text, { actions: names, requiredKeys: [] }), (index) => first + index)
        : parseData(text, actionSpace),
    ...(names && { choices: () => names.map((_, index) => first + index) }),
    demonstrate: (_, action) =>
      JSON.stringify({ thoughts: '', action: names ? names[(action as number) - first] : actionSpace.encode(action) }),
  };
}

function namesOf(space: DiscreteSpace, given: readonly string[] | undefined): string[] {
  const { n, start, labels } = space;
  const names = given?.length === n && new Set(given).size === n ? given : labels;
  return names ? [...names] : Array.from({ length: n }, (_, index) => String(start + index));
}

/** Without the annotation that only vlgym reads. */
function schemaOf(space: Space): unknown {
  const { 'x-vlgym': _, ...schema } = space.toJsonSchema();
  return schema;
}

function observed({ observation, history }: PromptContext, options: SpaceDialogueOptions): ChatPart[] {
  const said = history
    .slice(-MAX_HISTORY)
    .map(({ text, reward }) => `You answered: ${bounded(text, 500)} (reward ${reward})`);
  const images = isImage(observation) ? [observation] : [];
  const words =
    images.length > 0 ? 'The picture shows the observation.' : `Observation: ${written(observation, options)}`;
  const drawn = images.length > 0 ? undefined : options.picture?.();
  if (drawn) images.push(drawn);
  const text = [...said, words].join('\n');
  return [{ type: 'text', text }, ...images.map((image): ChatPart => ({ type: 'image', image }))];
}

function written(observation: unknown, { observationSpace }: SpaceDialogueOptions): string {
  if (typeof observation === 'string') return bounded(observation, MAX_OBSERVATION);
  try {
    return bounded(JSON.stringify(observationSpace.encode(observation)), MAX_OBSERVATION);
  } catch {
    return '(not shown)';
  }
}

const bounded = (text: string, limit: number) => (text.length > limit ? `${text.slice(0, limit - 1)}…` : text);

/** The value of `action` of the last JSON object in the response. */
function parseData(text: string, space: Space): ParsedResponse {
  const spans = { action: [0, text.length] as const };
  const failed = (reason: 'empty' | 'no-action' | 'unknown-action'): ParsedResponse => ({
    thought: '',
    actionText: '',
    legal: false,
    formatValid: false,
    spans,
    reason,
    repairHint: `Answer with one JSON object with the keys "thoughts" and "action"; "action" is ${space.describe()}.`,
  });
  if (text.trim() === '') return failed('empty');
  const object = jsonObject(text);
  if (!object || !('action' in object)) return failed('no-action');
  try {
    const action = space.decode(object.action);
    const thought = typeof object.thoughts === 'string' ? object.thoughts : '';
    return { thought, action, actionText: JSON.stringify(object.action), legal: true, formatValid: true, spans };
  } catch {
    return failed('unknown-action');
  }
}

function jsonObject(text: string): Info | undefined {
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (start < 0 || end < start) return undefined;
  try {
    const value: unknown = JSON.parse(text.slice(start, end + 1));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
