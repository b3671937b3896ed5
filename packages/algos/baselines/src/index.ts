import type { Presets } from '@vlgym/rl';
import { cispo } from './cispo.js';
import { dapo } from './dapo.js';
import { drGrpo } from './dr-grpo.js';
import { epo } from './epo.js';
import { gigpo } from './gigpo.js';
import { grpo } from './grpo.js';
import { gspo } from './gspo.js';
import { loop } from './loop.js';
import { ppoToken } from './ppo-token.js';
import { raft } from './raft.js';
import { reinforcePlusPlus } from './reinforce-plus-plus.js';
import { rl4vlm, rl4vlmStabilized } from './rl4vlm.js';
import { rloo } from './rloo.js';
import { vagen } from './vagen.js';

export { entropyBand } from './epo.js';
export { ppoTokenActor, type TokenRewards, tokenGae } from './ppo-token.js';
export { rl4vlmActor } from './rl4vlm.js';
export { biLevelGae, type TurnAdvantages, type TurnGaeOptions, type TurnRewards, turnWiseGae } from './vagen.js';
export {
  cispo,
  dapo,
  drGrpo,
  epo,
  gigpo,
  grpo,
  gspo,
  loop,
  ppoToken,
  raft,
  reinforcePlusPlus,
  rl4vlm,
  rl4vlmStabilized,
  rloo,
  vagen,
};

/** Presets of this package by name. */
export const presets: Presets = {
  rl4vlm,
  'rl4vlm-stabilized': rl4vlmStabilized,
  grpo,
  dapo,
  loop,
  rloo,
  gigpo,
  'reinforce-plus-plus': reinforcePlusPlus,
  'ppo-token': ppoToken,
  vagen,
  epo,
  'dr-grpo': drGrpo,
  gspo,
  cispo,
  raft,
};
