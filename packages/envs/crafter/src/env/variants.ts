/** The published environments: what their options default to, and how they wrap the game. */
import type { DialogueStyle } from '../dialogue/styles.js';
import type { ObservationKind } from './options.js';

export interface Variant {
  /** Whether steps pay. */
  readonly pays: boolean;
  /** BALROG's wrapper: a step of waiting after the reset, and a second picture of every step, which also draws at night. */
  readonly isWrapped: boolean;
  readonly defaults: {
    readonly observation: ObservationKind;
    readonly size: number;
    readonly maxSteps: number;
    readonly dialogue: DialogueStyle;
  };
}

const PUBLISHED = { observation: 'image', size: 64, maxSteps: 10_000, dialogue: 'plain-v1' } as const;

export const VARIANTS = {
  'CrafterReward-v1': { pays: true, isWrapped: false, defaults: PUBLISHED },
  'CrafterNoReward-v1': { pays: false, isWrapped: false, defaults: PUBLISHED },
  'balrog/Crafter-v0': {
    pays: true,
    isWrapped: true,
    defaults: { observation: 'both', size: 256, maxSteps: 2000, dialogue: 'balrog-naive-v1' },
  },
} as const satisfies Record<string, Variant>;
export type CrafterId = keyof typeof VARIANTS;
