/** Makes scenes: what the page shows at one moment of an episode. */
import { actionText, actionWords } from '@vlgym/agents';
import { type AnyEnv, type ChatMessage, type Image, type Info, stepLimitOf, type Turn } from '@vlgym/core';
import { isImage } from '@vlgym/core/images';
import type { EnvGuide, PlayStage } from '@vlgym/core/registry';
import type { ActionChoice, PlayView } from './page-scene.js';
import type { TextFace } from './text-face.js';

export interface Scene {
  readonly view: PlayView;
  readonly pictures: readonly Image[];
}

/** State of an episode at one moment. */
export interface Moment {
  readonly env: AnyEnv;
  readonly seed: number;
  readonly observation: unknown;
  readonly info: Info;
  readonly history: readonly Turn[];
  readonly messages?: readonly ChatMessage[] | undefined;
  /** The reason why the last action changed nothing; absent if it changed something. */
  readonly refused?: string | undefined;
  readonly verdict?: Verdict | undefined;
}

/** How an episode ended. */
export interface Verdict {
  readonly text: string;
  readonly won: boolean;
  /** The reason, as a sentence. */
  readonly reason?: string | undefined;
  /** Components of the whole score, by name. */
  readonly parts: readonly (readonly [name: string, value: number])[];
}

/** The declarations of an environment, for every scene. */
export interface Setting {
  readonly title: string;
  readonly guide?: EnvGuide | undefined;
  /** How the environment shows itself; the rest follows from what every environment has. */
  readonly stage: PlayStage;
  readonly face?: TextFace | undefined;
}

/** Turns kept on the page; a longer past is in the recording. */
const SHOWN_TURNS = 40;
/** Pixels of the map. */
const MAP = { height: 300, width: 400 };
const MAX_TEXT_LENGTH = 20_000;

export async function sceneOf(moment: Moment, { title, guide, stage, face }: Setting): Promise<Scene> {
  const { env, seed, observation, info, history, messages, verdict } = moment;
  const limit = stepLimitOf(env);
  const task = env.unwrapped.describeTask?.() ?? [info.instruction, info.task].find((each) => typeof each === 'string');
  const { pictures, captions, text } = await looks(env, observation, verdict !== undefined);
  const state = await face?.of(env);
  const marker = captions.includes('map') ? env.unwrapped.topMarker?.(MAP) : undefined;
  const shown = history.slice(-SHOWN_TURNS);
  const last = history.at(-1);
  const view: PlayView = {
    env: env.spec?.id ?? env.constructor.name,
    title,
    ...(guide && { guide }),
    seed,
    step: history.length,
    ...(Number.isFinite(limit) && { limit }),
    ...(last && { reward: last.reward }),
    return: history.reduce((sum, { reward }) => sum + reward, 0),
    parts: stage.parts?.(info) ?? (verdict ? named(verdict.parts) : partsOf(info)),
    ...(task !== undefined && { task: String(task) }),
    ...(text !== undefined && !isSame(text, task) && { text }),
    ...(state !== undefined && { state: clipped(state) }),
    ...(stage.html && { html: await stage.html(info) }),
    captions,
    ...(marker && { marker }),
    actions: verdict === undefined ? choicesOf(moment) : [],
    hints: env.oracle !== undefined,
    free: actionWords(env.actionSpace) === undefined,
    past: shown.map(({ action, reward, observation: before }) => ({
      action: actionText(env.actionSpace, action),
      reward,
      ...(typeof before === 'string' && { text: clipped(before) }),
    })),
    ...(messages && { prompt: clipped(messages.map(plain).join('\n\n')) }),
    info: clipped(JSON.stringify(info, null, 2) ?? ''),
    ...reasonIn(moment),
    ...(verdict && {
      verdict: verdict.text,
      outcome: verdict.won ? 'won' : 'lost',
      ...(verdict.reason !== undefined && { ending: verdict.reason }),
    }),
    undo: history.length > 0 && env.snapshot !== undefined && env.restore !== undefined,
  };
  return { view, pictures };
}

/** The rendered frame, the map, and the picture in the observation if its size differs. */
async function looks(env: AnyEnv, observation: unknown, isOver: boolean) {
  const last = isOver ? await env.unwrapped.renderEnd?.() : undefined;
  const frame: unknown = last ?? (env.renderMode === undefined ? undefined : await env.render());
  const seen = picturesIn(observation);
  const pictures: Image[] = [];
  const captions: string[] = [];
  const show = (caption: string, picture: unknown) => {
    if (!isImage(picture)) return;
    pictures.push(picture);
    captions.push(caption);
  };
  show('', isImage(frame) ? frame : seen[0]);
  show('map', await env.unwrapped.renderTop?.(MAP));
  for (const picture of seen) {
    const { width, height } = picture;
    if (width !== pictures[0]!.width || height !== pictures[0]!.height)
      show(`what an agent sees, ${width} × ${height}`, picture);
  }
  const words = [wordsIn(observation), frame].find((each) => typeof each === 'string');
  const neither = pictures.length === 0 ? JSON.stringify(env.observationSpace.encode(observation)) : undefined;
  const text = words ?? neither;
  return { pictures, captions, text: text && clipped(text) };
}

const picturesIn = (observation: unknown): Image[] =>
  isImage(observation) ? [observation] : entriesOf(observation).filter(isImage);

/** The text, or the texts of an observation with several parts. */
function wordsIn(observation: unknown): string | undefined {
  if (typeof observation === 'string') return observation;
  const { text } = (observation ?? {}) as { readonly text?: unknown };
  // next to a text of that name, other strings are addresses and the like
  if (typeof text === 'string' && text !== '') return text.replaceAll(' [SEP] ', '\n');
  const texts = entriesOf(observation).filter((entry) => typeof entry === 'string' && entry !== '');
  return texts.length === 0 || isImage(observation) ? undefined : texts.join('\n\n');
}

function entriesOf(observation: unknown): unknown[] {
  if (typeof observation !== 'object' || observation === null || ArrayBuffer.isView(observation)) return [];
  return Object.values(observation);
}

/** An observation that only repeats the task is not shown twice. */
const isSame = (text: string, task: unknown) => bare(text) === bare(String(task ?? ''));
const bare = (text: string) => text.trim().replace(/\.$/, '').toLowerCase();

/** The reason why the last action did nothing: in a player's words, or else in those of the environment. */
function reasonIn({ refused, info }: Moment): Pick<PlayView, 'reason'> {
  const reason = refused ?? info.reason;
  return typeof reason === 'string' ? { reason } : {};
}

function choicesOf({ env, observation, info, history }: Moment): ActionChoice[] {
  const { actionSpace, dialogue, unwrapped } = env;
  const words = actionWords(actionSpace);
  const choices = dialogue?.choices?.({ observation, info, history });
  const actions = choices?.map((action) => actionText(actionSpace, action));
  const keys = keysOf(env, words);
  const says = new Map<string, string>();
  if (words && unwrapped.describeAction) {
    const { start = 0 } = actionSpace.toJSON() as { start?: number };
    for (const [index, word] of words.entries()) says.set(word, unwrapped.describeAction(index + start));
  }
  const texts = [...new Set(actions ?? words ?? [])];
  if (!words && unwrapped.describeAction) {
    for (const [index, action] of (choices ?? []).entries())
      says.set(actions![index]!, unwrapped.describeAction(action));
  }
  if (!words) texts.sort((one, other) => one.localeCompare(other, 'en', { numeric: true })); // cabinet 2 before cabinet 10
  return texts.map((text) => ({
    text,
    ...(says.has(text) && says.get(text) !== text && { says: says.get(text)! }),
    ...(keys.has(text) && { keys: keys.get(text)! }),
  }));
}

/** The environment's own keys, or else for a short list: a one-character word itself, or a first letter that is unique. */
function keysOf(env: AnyEnv, words: readonly string[] | undefined): Map<string, string[]> {
  const { keys: own } = env.unwrapped;
  const first = (words ?? []).map((word) => word.charAt(0).toLowerCase());
  const pairs = own
    ? Object.entries(own).map(([key, action]) => [actionText(env.actionSpace, action), key] as const)
    : (words ?? []).flatMap((word, index) => {
        const alone = word.length === 1 || first.indexOf(first[index]!) === first.lastIndexOf(first[index]!);
        return alone ? [[word, first[index]!] as const] : [];
      });
  const keys = new Map<string, string[]>();
  // arrows before letters: they are what is shown
  for (const [text, key] of [...pairs].sort(([, one], [, other]) => Number(isArrow(other)) - Number(isArrow(one)))) {
    keys.set(text, [...(keys.get(text) ?? []), key]);
  }
  return keys;
}

const isArrow = (key: string) => ['left', 'right', 'up', 'down'].includes(key);

const named = (parts: Verdict['parts']): PlayView['parts'] => parts.map(([name, value]) => [name, shortNumber(value)]);

function partsOf({ rewardParts }: Info): PlayView['parts'] {
  if (typeof rewardParts !== 'object' || rewardParts === null) return [];
  return Object.entries(rewardParts).map(([name, value]) => [name, shortNumber(value)]);
}

const shortNumber = (value: unknown) => (typeof value === 'number' ? String(Number(value.toFixed(3))) : String(value));

const plain = ({ content }: ChatMessage) =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : '[the picture]')).join('\n');

const clipped = (text: string) => (text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)} …` : text);
