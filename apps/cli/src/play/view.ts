/** Makes scenes: what the page shows at one moment of an episode. */
import { actionText, actionWords } from '@vlgym/agents';
import type { AnyEnv, ChatMessage, Image, Info, Turn } from '@vlgym/core';
import { isImage } from '@vlgym/core/images';
import type { PlayStage } from '@vlgym/core/registry';
import type { ActionChoice, PlayView } from './page-scene.js';

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
  readonly verdict?: string | undefined;
}

/** Turns kept on the page; a longer past is in the recording. */
const SHOWN_TURNS = 40;
/** Pixels of the map. */
const MAP = { height: 300, width: 400 };
const MAX_TEXT_LENGTH = 20_000;

/** @param stage  How the environment shows itself; the rest follows from what every environment has. */
export async function sceneOf(moment: Moment, stage: PlayStage): Promise<Scene> {
  const { env, seed, observation, info, history, messages, verdict } = moment;
  const limit = env.spec?.maxEpisodeSteps ?? -1;
  const task = env.unwrapped.describeTask?.() ?? [info.instruction, info.task].find((each) => typeof each === 'string');
  const { pictures, captions, text } = await looks(env, observation);
  const marker = captions.includes('map') ? env.unwrapped.topMarker?.(MAP) : undefined;
  const shown = history.slice(-SHOWN_TURNS);
  const last = history.at(-1);
  const view: PlayView = {
    env: env.spec?.id ?? env.constructor.name,
    seed,
    step: history.length,
    ...(limit > 0 && { limit }),
    ...(last && { reward: last.reward }),
    return: history.reduce((sum, { reward }) => sum + reward, 0),
    parts: stage.parts?.(info) ?? partsOf(info),
    ...(task !== undefined && { task: String(task) }),
    ...(text !== undefined && { text }),
    ...(stage.html && { html: await stage.html(info) }),
    captions,
    ...(marker && { marker }),
    actions: verdict === undefined ? choicesOf(moment) : [],
    free: actionWords(env.actionSpace) === undefined,
    past: shown.map(({ action, reward, observation: before }) => ({
      action: actionText(env.actionSpace, action),
      reward,
      ...(typeof before === 'string' && { text: clipped(before) }),
    })),
    ...(messages && { prompt: clipped(messages.map(plain).join('\n\n')) }),
    info: clipped(JSON.stringify(info, null, 2) ?? ''),
    ...(typeof info.reason === 'string' && { reason: info.reason }),
    ...(verdict !== undefined && { verdict }),
  };
  return { view, pictures };
}

/** The rendered frame, the map, and the picture in the observation if its size differs. */
async function looks(env: AnyEnv, observation: unknown) {
  const frame: unknown = env.renderMode === undefined ? undefined : await env.render();
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
  const words = typeof observation === 'string' ? observation : typeof frame === 'string' ? frame : undefined;
  const neither = pictures.length === 0 ? JSON.stringify(env.observationSpace.encode(observation)) : undefined;
  const text = words ?? neither;
  return { pictures, captions, text: text && clipped(text) };
}

function picturesIn(observation: unknown): Image[] {
  if (isImage(observation)) return [observation];
  if (typeof observation !== 'object' || observation === null || ArrayBuffer.isView(observation)) return [];
  return Object.values(observation).filter(isImage);
}

function choicesOf({ env, observation, info, history }: Moment): ActionChoice[] {
  const { actionSpace, dialogue, unwrapped } = env;
  const words = actionWords(actionSpace);
  const actions = dialogue?.choices?.({ observation, info, history }).map((action) => actionText(actionSpace, action));
  const keys = keysOf(env, words);
  const says = new Map<string, string>();
  if (words && unwrapped.describeAction) {
    const { start = 0 } = actionSpace.toJSON() as { start?: number };
    for (const [index, word] of words.entries()) says.set(word, unwrapped.describeAction(index + start));
  }
  const texts = [...new Set(actions ?? words ?? [])];
  if (!words) texts.sort((one, other) => one.localeCompare(other, 'en', { numeric: true })); // cabinet 2 before cabinet 10
  return texts.map((text) => ({
    text,
    ...(says.has(text) && says.get(text) !== text && { says: says.get(text)! }),
    ...(keys.has(text) && { key: keys.get(text)! }),
  }));
}

/** The environment's own keys, or else for a short list: a one-character word itself, or a first letter that is unique. */
function keysOf(env: AnyEnv, words: readonly string[] | undefined): Map<string, string> {
  const own = env.unwrapped.keys;
  if (own) return new Map(Object.entries(own).map(([key, action]) => [actionText(env.actionSpace, action), key]));
  const first = (words ?? []).map((word) => word.charAt(0).toLowerCase());
  return new Map(
    (words ?? []).flatMap((word, index) => {
      const alone = word.length === 1 || first.indexOf(first[index]!) === first.lastIndexOf(first[index]!);
      return alone ? [[word, first[index]!] as const] : [];
    }),
  );
}

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
