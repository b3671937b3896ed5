import type { Dialogue } from '@vlgym/core';
import type { CrafterInfo } from '../env/info.js';
import type { CrafterObservation } from '../env/observations.js';

export type CrafterDialogue = Dialogue<CrafterObservation, number, CrafterInfo>;
