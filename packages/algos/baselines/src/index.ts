import type { Presets } from '@vlgym/rl';
import { archer } from './critics/archer.js';
import { ppoToken } from './critics/ppo-token.js';
import { rl4vlm, rl4vlmStabilized } from './critics/rl4vlm.js';
import { vagen } from './critics/vagen.js';
import { earlyExperience } from './early-experience.js';
import { arpo, sharedAdvantages, withBranches } from './groups/arpo.js';
import { cispo } from './groups/cispo.js';
import { dapo } from './groups/dapo.js';
import { drGrpo } from './groups/dr-grpo.js';
import { epo } from './groups/epo.js';
import { gigpo } from './groups/gigpo.js';
import { grpo } from './groups/grpo.js';
import { gspo } from './groups/gspo.js';
import { igpo, informationGains, turnAdvantages } from './groups/igpo.js';
import { episodeWeights, loop } from './groups/loop.js';
import { prefixRft } from './groups/prefix-rft.js';
import { raft } from './groups/raft.js';
import { rloo } from './groups/rloo.js';
import { horizonAt, scalingInter } from './groups/scaling-inter.js';
import { simpleTir, voidEpisodes } from './groups/simple-tir.js';
import { freeTokens, spear } from './groups/spear.js';
import { reinforcePlusPlus } from './reinforce-plus-plus.js';
import { vineAdvantages, vinePpo } from './vineppo.js';

export { ppoTokenActor, type TokenRewards, tokenGae } from './critics/ppo-token.js';
export { rl4vlmActor } from './critics/rl4vlm.js';
export {
  biLevelGae,
  type TurnAdvantages,
  type TurnGaeOptions,
  type TurnRewards,
  turnWiseGae,
} from './critics/vagen.js';
export { entropyBand } from './groups/epo.js';
export {
  archer,
  arpo,
  cispo,
  dapo,
  drGrpo,
  earlyExperience,
  episodeWeights,
  epo,
  freeTokens,
  gigpo,
  grpo,
  gspo,
  horizonAt,
  igpo,
  informationGains,
  loop,
  ppoToken,
  prefixRft,
  raft,
  reinforcePlusPlus,
  rl4vlm,
  rl4vlmStabilized,
  rloo,
  scalingInter,
  sharedAdvantages,
  simpleTir,
  spear,
  turnAdvantages,
  vagen,
  vineAdvantages,
  vinePpo,
  voidEpisodes,
  withBranches,
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
  vineppo: vinePpo,
  archer,
  spear,
  igpo,
  arpo,
  'simple-tir': simpleTir,
  'scaling-inter': scalingInter,
  'prefix-rft': prefixRft,
  'early-experience': earlyExperience,
};
