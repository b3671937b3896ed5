/** All attacks, in the order of the report. */
import type { Attack } from '../attack.js';
import { fuzzAttacks } from './fuzz.js';
import { killEvaluation } from './kill-evaluation.js';
import { killTraining } from './kill-training.js';

export const attacks: readonly Attack[] = [killTraining, killEvaluation, ...fuzzAttacks];
