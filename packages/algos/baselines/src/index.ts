import type { Presets } from '@vlgym/rl';
import { archer } from './archer.js';
import { arpo, sharedAdvantages, withBranches } from './arpo.js';
import { cispo } from './cispo.js';
import { dapo } from './dapo.js';
import { drGrpo } from './dr-grpo.js';
import { earlyExperience } from './early-experience.js';
import { epo } from './epo.js';
import { gigpo } from './gigpo.js';
import { grpo } from './grpo.js';
import { gspo } from './gspo.js';
import { igpo, informationGains, turnAdvantages } from './igpo.js';
import { episodeWeights, loop } from './loop.js';
import { ppoToken } from './ppo-token.js';
import { prefixRft } from './prefix-rft.js';
import { raft } from './raft.js';
import { reinforcePlusPlus } from './reinforce-plus-plus.js';
import { rl4vlm, rl4vlmStabilized } from './rl4vlm.js';
import { rloo } from './rloo.js';
import { horizonAt, scalingInter } from './scaling-inter.js';
import { simpleTir, voidEpisodes } from './simple-tir.js';
import { freeTokens, spear } from './spear.js';
import { vagen } from './vagen.js';
import { vineAdvantages, vinePpo } from './vineppo.js';

export { entropyBand } from './epo.js';
export { ppoTokenActor, type TokenRewards, tokenGae } from './ppo-token.js';
export { rl4vlmActor } from './rl4vlm.js';
export { biLevelGae, type TurnAdvantages, type TurnGaeOptions, type TurnRewards, turnWiseGae } from './vagen.js';
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
