/** Prompts, parsing of responses, and an expert's responses as labels. */
import {
  type ChatMessage,
  type ChatPart,
  type Dialogue,
  type Image,
  InvalidActionError,
  mapAction,
  type PromptContext,
  parseResponse,
  thoughtEntries,
} from '@vlgym/core';
import { type MiniWorldObservation, pictureOf } from '../env/observations.js';
import type { ObservationKind } from '../env/options.js';
import type { Size } from '../scene/painter.js';
import type { Task } from '../tasks/task.js';
import { describeDepth } from '../text/describe-depth.js';
import { ACTIONS } from '../world/actions.js';
import { type DialogueStyle, isVlDac } from './styles.js';

export type MiniWorldInfo = Record<string, unknown>;
type Context = PromptContext<MiniWorldObservation, number, MiniWorldInfo>;

/** Maximum number of pictures in a prompt of VL-DAC; the newest is last. */
const MAX_PICTURES = 4;

/** Worlds with the short task of version 3, to reach the red box, where it is red. */
const RED_BOX = ['Hallway', 'OneRoom', 'FourRooms', 'WallGap'];

interface Style {
  /** JSON keys before `action`. */
  readonly keys: readonly string[];
  /** Actions as the model writes them, indexed by action number. */
  readonly actions: readonly string[];
  readonly pictures: number;
  ask(context: Context): string;
}

/**
 * @param numActions  Size of the action space; the prompt offers exactly these actions.
 * @param size        Size of pictures and depth maps.
 * @param kind        Prompts that tell the observation in words have a version that says so.
 */
export function miniWorldDialogue(
  style: DialogueStyle,
  task: Task,
  numActions: number,
  size: Size,
  kind: ObservationKind = 'rgb',
): Dialogue<MiniWorldObservation, number, MiniWorldInfo> {
  const { keys, actions, pictures, ask } = isVlDac(style)
    ? vlDac(style, task, numActions)
    : style === 'compact-v1'
      ? compact(numActions)
      : plain(task, numActions);
  const names = ACTIONS.slice(0, actions.length);
  const numbers = names.map((_, action) => String(action));
  const readable = isVlDac(style) ? [...numbers, ...names] : [...names, ...numbers];
  return {
    version: `miniworld-${task.name.toLowerCase()}/${style}${kind === 'text' ? '/text' : ''}`,
    prompt(context) {
      const shown = [...context.history.map(({ observation }) => observation), context.observation]
        .map(pictureOf)
        .filter((picture) => picture !== undefined)
        .slice(-pictures);
      return userTurn(shown, `${words(context.observation, size)}${ask(context)}`);
    },
    // Both names and numbers are accepted, whichever the prompt asks for.
    parse: (text) =>
      mapAction(parseResponse(text, { actions: readable, requiredKeys: keys }), (at) => at % actions.length),
    choices: () => actions.map((_, action) => action),
    ...(style === 'compact-v1' && { check: seesGoal }),
    demonstrate({ info }, action) {
      if (actions[action] === undefined) throw new InvalidActionError(action, `0 to ${actions.length - 1}`);
      const thought = style === 'compact-v1' ? String(info.sight) : THOUGHTS[action]!;
      const values = keys.map((key) => `${JSON.stringify(key)}: ${JSON.stringify(thought)}`);
      return `{${[...values, `"action": ${JSON.stringify(actions[action])}`].join(', ')}}`;
    },
  };
}

/** Whether the answer says where the picture shows the goal. @param said  The text before the action, or the word alone. */
function seesGoal(said: string, { sight }: MiniWorldInfo): boolean | undefined {
  const { goal, thoughts } = thoughtEntries(said);
  return sight === undefined ? undefined : (goal ?? thoughts) === sight;
}

/** The expert's thought for each action. The expert knows the path and does not look at the picture. */
const THOUGHTS: readonly string[] = [
  'The way to the goal is further to the left, so I turn left.',
  'The way to the goal is further to the right, so I turn right.',
  'The way to the goal is straight ahead and free, so I move forward.',
  'I have gone too far, so I move back.',
  'The object is right in front of me, so I pick it up.',
  'This is the place, so I put down what I carry.',
  'I toggle what is in front of me.',
  'There is nothing left to do.',
];

function plain(task: Task, numActions: number): Style {
  const actions = ACTIONS.slice(0, numActions);
  return {
    keys: ['thoughts'],
    actions,
    pictures: 1,
    ask: (context) =>
      [
        `You walk through rooms and see them through your own eyes. Your task: ${taskOf(task, context)}.`,
        `Choose what to do next: ${actions.map((action) => `"${action}"`).join(', ')}.`,
        'Answer with one valid JSON object in this form and nothing else:',
        '{"thoughts": "{what you see, where the goal is, what to do}", "action": "{one of the choices}"}',
      ].join('\n'),
  };
}

/** The expert's response states where the goal is, so that a small model learns to see it. */
function compact(numActions: number): Style {
  const actions = ACTIONS.slice(0, numActions);
  return {
    keys: ['goal'],
    actions,
    pictures: 1,
    ask: () => `${actions.join(', ')}? JSON keys: goal, action.`,
  };
}

function vlDac(style: DialogueStyle, task: Task, numActions: number): Style {
  const actions = Array.from({ length: numActions }, (_, action) => String(action));
  const keys = style === 'vl-dac-v1' ? ['keys description', 'thoughts'] : ['thoughts'];
  const form = keys.map((key) => `"${key}": "{your ${key}}"`);
  return {
    keys,
    actions,
    pictures: MAX_PICTURES,
    ask: (context) =>
      [
        'Instructions:',
        'You control an agent in a 3D simulator and see what it sees. Only a solved task is rewarded.',
        `TASK: ${style === 'vl-dac-v3' && hasRedBox(task) ? 'go to the red box' : taskOf(task, context)}.`,
        `Choose one action for the current observation; ${context.history.length} actions were taken before it.`,
        'If you are lost, turn around or explore.',
        'Actions:',
        ...actions.map((number) => `${number} : ${ACTIONS[Number(number)]}`),
        'Think before you choose.',
        'If you are stuck at a wall, turn away from it. If the goal is not in sight, turn until you see it.',
        'Answer with one JSON object in this form and nothing else:',
        `{${[...form, '"action": "{number of the action}"'].join(', ')}}`,
      ].join('\n'),
  };
}

const hasRedBox = ({ name, options }: Task) => RED_BOX.includes(name) && options?.colors === undefined;

/** The task in words, with the agent's health in tasks that have it. */
function taskOf(task: Task, { info }: Context): string {
  return typeof info.health === 'number' ? `${task.phrase} (health ${info.health} of 100)` : task.phrase;
}

/** Text at the beginning of a prompt that replaces the picture; empty if the observation has a picture. */
function words(observation: MiniWorldObservation, size: Size): string {
  if (typeof observation === 'string') return `${observation}\n`;
  if (observation instanceof Float32Array) return `${describeDepth(observation, size)}\n`;
  return 'obs' in observation ? words(observation.obs, size) : '';
}

function userTurn(pictures: readonly Image[], text: string): ChatMessage[] {
  const parts: ChatPart[] = [
    ...pictures.map((image): ChatPart => ({ type: 'image', image })),
    { type: 'text', text: pictures.length > 0 ? `\n${text}` : text },
  ];
  return [{ role: 'user', content: parts }];
}
