/**
 * Prompts of MiniWoB++: the instruction, the page as accessibility tree or picture, and BrowserGym's actions.
 *
 * `browsergym-v1` thinks in tags and explains the actions, `json-v1` answers in one JSON object, `compact-v1` is short. The
 * wording is our own; a changed word is a new version. `SiteEnv` reads the actions.
 */
import { type ChatMessage, type Dialogue, type ParsedResponse, type PromptContext, parseResponse } from '@vlgym/core';
import { SITE_CALLS, type SiteInfo, type SiteObservation } from '@vlgym/site';
import type { MiniWoBInfo } from './info.js';
import { HEIGHT, type MiniWoBObservation, WIDTH } from './observation.js';
import type { MiniWoBStyle } from './options.js';
import { calledElement, checkThought } from './thought-check.js';

type Context = PromptContext<MiniWoBObservation, string, MiniWoBInfo>;
type MiniWoBDialogue = Dialogue<MiniWoBObservation, string, MiniWoBInfo>;

const SHOWN_TURNS = 6;
/** Longest accessibility tree in a prompt, characters. */
const MAX_TREE = 8000;

/** BrowserGym's actions for MiniWoB++, and those that lists, drags and waiting need. */
const ON_ELEMENTS = ['click', 'dblclick', 'fill', 'select_option', 'press', 'drag_and_drop', 'scroll'];
const ON_PIXELS = ['mouse_click', 'mouse_dblclick', 'mouse_move', 'mouse_down', 'mouse_up', 'mouse_drag_and_drop'];
const ANYWHERE = ['keyboard_type', 'keyboard_press', 'noop'];

export interface DialogueShape {
  readonly style: MiniWoBStyle;
  readonly observation: 'both' | 'text' | 'picture';
  /** The dialogue of `SiteEnv` in BrowserGym's actions. */
  readonly site: Dialogue<SiteObservation, string, SiteInfo>;
}

export function miniWoBDialogue(shape: DialogueShape): MiniWoBDialogue {
  const { style, observation } = shape;
  const isJson = style === 'json-v1';
  const choices: MiniWoBDialogue['choices'] = ({ observation: { elements } }) => [
    ...elements.filter(({ role, disabled }) => role !== 'region' && !disabled).map(({ mark }) => `click('${mark}')`),
    'scroll(0, 100)',
    'noop(500)',
  ];
  const demonstrate = (thought: string, action: string) =>
    isJson
      ? JSON.stringify({ thoughts: thought, action })
      : style === 'compact-v1'
        ? `<action>${action}</action>`
        : `<think>${thought}</think><action>${action}</action>`;
  return {
    version: `miniwob/${style}${observation === 'both' ? '' : `-${observation}`}`,
    prompt: (context) => prompt(context, shape),
    parse: (text) => parse(text, shape),
    choices,
    ...(style !== 'compact-v1' && { check: checkThought }),
    demonstrate: ({ observation: { elements } }, action) => demonstrate(thoughtBefore(action, elements), action),
  };
}

/** Names the element that is meant. */
function thoughtBefore(action: string, elements: MiniWoBObservation['elements']): string {
  const [, mark] = /^\w{1,20}\('(\d{1,4})'/.exec(action) ?? [];
  const element = elements.find((each) => String(each.mark) === mark);
  return element ? `Element ${calledElement(element)}, so the next step is ${action}.` : `The next step is ${action}.`;
}

function prompt({ observation: seen, info, history }: Context, { style, observation }: DialogueShape): ChatMessage[] {
  const [hasText, hasPicture] = [observation !== 'picture', observation !== 'text'];
  const names = [...(hasText ? ON_ELEMENTS : ['scroll']), ...(hasPicture ? ON_PIXELS : []), ...ANYWHERE];
  const calls = SITE_CALLS.filter(({ name }) => names.includes(name));
  const past = history.slice(-SHOWN_TURNS).map(({ action }) => action ?? 'nothing');
  const isCompact = style === 'compact-v1';
  const parts = [
    ...(isCompact
      ? []
      : [
          `You are using a small web page. ${hasPicture ? `The picture shows it: ${WIDTH} pixels wide, ${HEIGHT} high.` : ''}`.trim(),
        ]),
    `Task: ${info.instruction}`,
    ...(past.length > 0 ? [`Done before: ${past.join('; ')}`] : []),
    ...(hasText ? [`The page:\n${shortened(seen.accessibility, MAX_TREE)}`] : []),
    ...(isCompact ? [] : [`What you can do:\n${calls.map(({ example, does }) => `${example} ${does}`).join('\n')}`]),
    ...(info.reason ? [`The last action was not done: ${info.reason}.`] : []),
    ASK[style],
  ];
  const content = parts.join('\n\n');
  if (!hasPicture) return [{ role: 'user', content }];
  const picture = { type: 'image', image: seen.screenshot } as const;
  return [{ role: 'user', content: [picture, { type: 'text', text: `\n${content}` }] }];
}

const ASK: Readonly<Record<MiniWoBStyle, string>> = {
  'browsergym-v1':
    'Think first, inside <think> and </think>. Then give one or more actions, one per line, inside <action> and </action>.',
  'json-v1':
    'Answer with one JSON object and nothing else: {"thoughts": "{what you see and plan}", "action": "{one action}"}',
  'compact-v1': "Answer with an action, e.g. <action>click('7')</action>.",
};

const shortened = (text: string, limit: number) => (text.length > limit ? `${text.slice(0, limit)} …` : text);

const REQUIRED: Readonly<Record<MiniWoBStyle, readonly string[]>> = {
  'browsergym-v1': ['think'],
  'json-v1': ['thoughts'],
  'compact-v1': [],
};

/** `SiteEnv` judges the action, wherever the answer has it. */
function parse(text: string, { style, site }: DialogueShape): ParsedResponse<string> {
  const format = style === 'json-v1' ? 'json' : 'tags';
  const { action: _, ...rest } = parseResponse(text, { format, actions: [], requiredKeys: REQUIRED[style] });
  const judged = site.parse(`<think>so</think><action>${rest.actionText}</action>`);
  const { reason: __, repairHint: ___, ...clean } = rest;
  return { ...clean, ...verdictOf(judged) };
}

/** The parts of an answer that say what is done. */
function verdictOf({ action, legal, reason, repairHint }: ParsedResponse<string>) {
  return {
    legal,
    ...(action !== undefined && { action }),
    ...(reason !== undefined && { reason }),
    ...(repairHint !== undefined && { repairHint }),
  };
}
