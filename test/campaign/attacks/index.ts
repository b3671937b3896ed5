/** All attacks, in the order of the report. */
import type { Attack } from '../attack.js';
import { clockJumps } from './clock-jumps.js';
import { fullDisk } from './full-disk.js';
import { fuzzAttacks } from './fuzz.js';
import { fuzzAddon } from './fuzz-addon.js';
import { hostileDatasets } from './hostile-datasets.js';
import { hostileHttp } from './hostile-http.js';
import { hostileModels } from './hostile-models.js';
import { hostileRedis } from './hostile-redis.js';
import { hostileSessions } from './hostile-sessions.js';
import { killEvaluation } from './kill-evaluation.js';
import { killCommandLine, killTorchTraining } from './kill-real-training.js';
import { killTraining } from './kill-training.js';
import { soakAttack } from './soak.js';
import { twoProcesses } from './two-processes.js';

export const attacks: readonly Attack[] = [
  killTraining,
  killTorchTraining,
  killCommandLine,
  killEvaluation,
  twoProcesses,
  fullDisk,
  clockJumps,
  ...fuzzAttacks,
  fuzzAddon,
  hostileHttp,
  hostileSessions,
  hostileDatasets,
  hostileModels,
  hostileRedis,
  soakAttack('soak', 'random play of every environment, memory flat within 2 % after warm-up', 60, 100_000, 6),
];
