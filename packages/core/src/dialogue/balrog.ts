/**
 * How BALROG talks to a model: an instruction, a history of observations and actions, and four ways to ask and to read.
 *
 * Rules and functional strings follow balrog-ai/BALROG (MIT) at af7d1f17, `balrog/prompt_builder` and `balrog/agents`;
 * `test/golden/balrog-agents.json` pins them.
 */
import type { Image } from '../image.js';
import { checkNames, names } from '../options.js';
import type { ChatMessage } from './dialogue.js';

export const BALROG_AGENTS = ['naive', 'cot', 'robust-naive', 'robust-cot'] as const;

/**
 * - `naive`: answer with the action alone.
 * - `cot`: think, and end with `ACTION: …`.
 * - `robust-naive`, `robust-cot`: the action between marks.
 */
export type BalrogAgent = (typeof BALROG_AGENTS)[number];

export interface BalrogObservation {
  /** Kept in the history. */
  readonly text: string;
  /** Shown only while it is current, e.g. an inventory. */
  readonly shortTerm?: string | undefined;
  readonly image?: Image | undefined;
}

export interface BalrogTurn {
  readonly observation: BalrogObservation;
  /** The response; absent in the last turn. */
  readonly response?: string | undefined;
}

export interface BalrogOptions {
  readonly agent: BalrogAgent;
  /** Observations whose text is shown; default 16. */
  readonly maxTextHistory?: number | undefined;
  /** Observations whose picture is shown; default 1. */
  readonly maxImageHistory?: number | undefined;
}

const BALROG_OPTIONS = names<BalrogOptions>({ agent: 0, maxTextHistory: 0, maxImageHistory: 0 });

const CLOSING: Readonly<Record<BalrogAgent, string>> = {
  naive:
    'You always have to output one of the above actions at a time and no other text. You always have to output an action until the episode terminates.',
  cot: "First think about what's the best course of action step by step.\nFinally, provide a single output action at the end of the message in the form of: ACTION: <action>",
  'robust-naive':
    'You must choose exactly one of the listed actions and output it strictly in the following format:\n\n<|ACTION|>YOUR_CHOSEN_ACTION<|END|>\n\nReplace YOUR_CHOSEN_ACTION with the chosen action. Output no other text, explanation, or reasoning.',
  'robust-cot':
    'First, think about the best course of action.\nThen, you must choose exactly one of the listed actions and output it strictly in the following format:\n\n<|ACTION|>YOUR_CHOSEN_ACTION<|END|>\n\nReplace YOUR_CHOSEN_ACTION with the chosen action.',
};

/** The reading of a response in which `robust-cot` finds no marks. */
const NO_ACTION = 'Failed to obtain a valid action from the reasoning.';

/** The action as BALROG cleans it; it may be none of the game's. */
export function balrogAction(agent: BalrogAgent, response: string): string {
  const trimmed = response.trim();
  if (agent === 'naive') return letters(trimmed);
  if (agent === 'cot') return letters(trimmed).split('ACTION:').at(-1)!.trim();
  const start = trimmed.indexOf('<|ACTION|>');
  const end = start < 0 ? -1 : trimmed.indexOf('<|END|>', start + 10);
  if (end >= 0) return trimmed.slice(start + 10, end).trim();
  return agent === 'robust-cot' ? NO_ACTION : trimmed;
}

const letters = (text: string): string => text.replace(/[^a-zA-Z\s:]/g, '');

type Event = { readonly observation: BalrogObservation } | { readonly response: string };

/**
 * The messages that ask for the next action.
 *
 * @param instruction  Rules of the game and its actions; the first message.
 * @param turns        The episode so far, oldest first; the last turn is the current one.
 */
export function balrogMessages(
  instruction: string,
  turns: readonly BalrogTurn[],
  options: BalrogOptions,
): ChatMessage[] {
  checkNames('options', options, BALROG_OPTIONS);
  const { agent, maxTextHistory = 16, maxImageHistory = 1 } = options;
  const all = turns.flatMap(({ observation, response }): Event[] => [
    { observation },
    ...(response === undefined ? [] : [{ response }]),
  ]);
  const events = all.slice(-2 * Math.max(maxTextHistory, maxImageHistory));
  const seen = events.flatMap((event) => ('observation' in event ? [event.observation] : []));
  const withText = new Set(maxTextHistory > 0 ? seen.slice(-maxTextHistory) : []);
  const pictured = seen.filter(({ image }) => image !== undefined);
  const withPicture = new Set(maxImageHistory > 0 ? pictured.slice(-maxImageHistory) : []);
  const lastResponse = events.findLast((event) => 'response' in event);

  const messages = events.map((event, index): ChatMessage => {
    if ('response' in event) {
      const isRemembered = agent === 'cot' && event === lastResponse;
      const content = isRemembered ? `Previous plan:\n${event.response.trim()}` : balrogAction(agent, event.response);
      return { role: 'assistant', content };
    }
    const { observation } = event;
    const isCurrent = index === events.length - 1;
    const lines = [
      isCurrent ? 'Current Observation:' : 'Observation:',
      ...(isCurrent && observation.shortTerm ? [observation.shortTerm] : []),
      ...(withText.has(observation) ? [observation.text] : []),
      ...(withPicture.has(observation) ? ['Image observation provided.'] : []),
      ...(isCurrent ? ['', CLOSING[agent]] : []),
    ];
    return message(lines.join('\n'), withPicture.has(observation) ? observation.image : undefined);
  });
  return [{ role: 'user', content: instruction }, ...messages];
}

function message(text: string, image: Image | undefined): ChatMessage {
  if (image === undefined) return { role: 'user', content: text };
  return {
    role: 'user',
    content: [
      { type: 'text', text },
      { type: 'image', image },
    ],
  };
}
