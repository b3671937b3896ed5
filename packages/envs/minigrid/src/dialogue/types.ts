import type { Dialogue } from '@vlgym/core';
import type { MiniGridInfo } from '../env/info.js';
import type { MiniGridObservation } from '../env/observations.js';

export type GridDialogue = Dialogue<MiniGridObservation, number, MiniGridInfo>;
