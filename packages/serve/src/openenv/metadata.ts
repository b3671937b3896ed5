/**
 * Information that OpenEnv's single `done` and `reward` leave out: the two ends, reward parts, how the response was read.
 */
import type { Info } from '@vlgym/core';
import { hashImage } from '@vlgym/core/images';
import type { Moment } from '../session/served-episode.js';
import { toJsonData } from '../wire-json.js';
import type { JsonObject } from './endpoint.js';

export function momentMetadata({ info, terminated, truncated, reward, parsed }: Moment): JsonObject {
  const { truncationReason, rewardParts } = info;
  return {
    info: infoData(info),
    terminated,
    truncated,
    ...(truncated && truncationReason !== undefined ? { truncationReason } : {}),
    ...(reward !== null && rewardParts !== undefined ? { rewardParts: toJsonData(rewardParts) } : {}),
    ...(parsed && { legal: parsed.legal }),
    ...(parsed?.reason && { reason: parsed.reason }),
    ...(parsed?.repairHint && { repairHint: parsed.repairHint }),
  };
}

/** Pictures in the info are named by their hash. */
const infoData = (info: Info): unknown => toJsonData(info, (image) => ({ $image: hashImage(image) }));
