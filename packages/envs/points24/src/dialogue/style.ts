/**
 * The three dialogue styles of the games, and what their prompts share: a picture followed by one text.
 *
 * `rl4vlm-v1` asks for the keys of RL4VLM/RL4VLM (`VLM_PPO/a2c_ppo_acktr/rl_utils.py`), `vl-dac-v1` for those of
 * corl-team/VL-DAC (`a2c_ppo_acktr/rl_utils.py`); `compact-v1` is from this package, for small models. The wording is
 * our own. Any change of words needs a new version, because scores under different prompts are not comparable.
 */
import type { ChatMessage, ChatPart, Image } from '@vlgym/core';
import type { ObservationKind } from '../games/observations.js';

export const DIALOGUE_STYLES = ['rl4vlm-v1', 'vl-dac-v1', 'compact-v1'] as const;
export type DialogueStyle = (typeof DIALOGUE_STYLES)[number];

export interface DialogueOptions {
  /** Default `rl4vlm-v1`. */
  readonly style?: DialogueStyle | undefined;
  /** Ask only for the action; default false. */
  readonly actionOnly?: boolean | undefined;
  /** Default `image`. */
  readonly observation?: ObservationKind | undefined;
}

/** The version of a dialogue. Prompts with text are worded differently, so they are another version. */
export const versionOf = (dialogue: string, observation: ObservationKind): string =>
  observation === 'text' ? `${dialogue}/text` : dialogue;

/** The beginning of a sentence about what the observation shows. */
export const shower = (observation: ObservationKind): string =>
  observation === 'text' ? 'The text above shows' : 'The picture shows';

/** One user turn: the picture or its description, a line break, then the text; or the text alone. */
export function userTurn(observation: unknown, text: string): ChatMessage[] {
  const parts: ChatPart[] = isImage(observation)
    ? [
        { type: 'image', image: observation },
        { type: 'text', text: `\n${text}` },
      ]
    : [{ type: 'text', text: typeof observation === 'string' ? `${observation}\n${text}` : text }];
  return [{ role: 'user', content: parts }];
}

export function isImage(observation: unknown): observation is Image {
  return typeof observation === 'object' && observation !== null && 'data' in observation;
}

/** JSON on one line with spaces: `{"cards": [4, 8], "action": "+"}`. */
export function writeJson(entries: readonly (readonly [key: string, value: unknown])[]): string {
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}: ${writeValue(value)}`).join(', ')}}`;
}

/** The form of a response in a prompt: keys with a description of each value. */
export function writeForm(entries: readonly (readonly [key: string, form: string])[]): string {
  return `{\n${entries.map(([key, form]) => `${JSON.stringify(key)}: ${form}`).join(',\n')}\n}`;
}

/** `['1', '2', '+']` */
export function listChoices(choices: readonly string[]): string {
  return `[${choices.map((choice) => `'${choice}'`).join(', ')}]`;
}

function writeValue(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(writeValue).join(', ')}]` : JSON.stringify(value);
}
