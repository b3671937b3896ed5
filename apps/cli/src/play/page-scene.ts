/**
 * The state that the page shows, as the server sends it: the turn of a person, or the end of an episode. Data only.
 */

import type { TopMarker } from '@vlgym/core';
import type { EnvGuide } from '@vlgym/core/registry';

/** An action that can be chosen now. */
export interface ActionChoice {
  /** The text that the page sends back. */
  readonly text: string;
  /** A description, where the environment has one. */
  readonly says?: string;
  /** Names of keys, as `Env.keys` has them; the first is shown. */
  readonly keys?: readonly string[];
}

/** One of the last turns. */
interface PastTurn {
  readonly action: string;
  readonly reward: number;
  readonly text?: string;
  /** The agent's thought before the action. */
  readonly thought?: string;
}

export interface PlayView {
  readonly env: string;
  /** Name for people. */
  readonly title: string;
  /** Goal, rules and score. */
  readonly guide?: EnvGuide;
  readonly seed: number;
  /** Steps taken. */
  readonly step: number;
  readonly limit?: number;
  /** Reward of the last step. */
  readonly reward?: number;
  /** Sum of the rewards. */
  readonly return: number;
  /** Components of the last reward, after the end those of the whole score: name and value. */
  readonly parts: readonly (readonly [name: string, value: string])[];
  readonly task?: string;
  /** The observation in words. */
  readonly text?: string;
  /** The state in words, for people who do not see the pictures. */
  readonly state?: string;
  /** The environment's own page, such as a shop; clicks in it are actions. */
  readonly html?: string;
  /** Captions, in the order of the pictures. */
  readonly captions: readonly string[];
  /** The agent's position in the picture with the caption `map`. */
  readonly marker?: TopMarker;
  readonly actions: readonly ActionChoice[];
  /** There is an expert to ask. */
  readonly hints?: boolean;
  /** A text outside of the list can be an action too. */
  readonly free: boolean;
  /** The last turns, oldest first. */
  readonly past: readonly PastTurn[];
  /** The prompt that a model would get now. */
  readonly prompt?: string;
  readonly info: string;
  /** The reason why the last action did nothing. */
  readonly reason?: string;
  /** How the episode ended; absent while it continues. */
  readonly verdict?: string;
  /** The reason for the end, as a sentence. */
  readonly ending?: string;
  readonly outcome?: 'won' | 'lost';
  /** The last step can be taken back. */
  readonly undo?: boolean;
  /** An agent or a recording plays; the page lets it advance, step by step. */
  readonly watching?: {
    readonly who: string;
    /** Earlier steps can be seen again. */
    readonly back: boolean;
    /** Names of the recorded episodes, in the order of their numbers. */
    readonly episodes?: readonly string[];
  };
}

export interface PictureShape {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
}

/** The JSON part of a scene; the bytes of the pictures follow it. */
export interface SceneMessage extends PlayView {
  /** Counts the scenes of the whole play. */
  readonly turn: number;
  /** The problem with the last move. */
  readonly note?: string | undefined;
  /** The move that was not made because it would change nothing; sent again with `anyway`, it is made. */
  readonly refused?: string | undefined;
  readonly pictures: readonly PictureShape[];
}
