/** What a step says beside the observation. Plain data. */
import type { RewardParts } from '../reward/reward.js';
import { type Session, sessionUrl } from '../shop/session.js';
import type { Visitor } from '../shop/visitor.js';

export type WebShopInfo = {
  /** What the shopper is told, without the prefix `Instruction: ` of the original's text environment. */
  instruction: string;
  /** At reset: product, attributes, options and price bound of the goal (`goalKey`). */
  taskKey?: string;
  /** Index of the goal in the shuffled list. */
  goalIndex: number;
  url: string;
  page: Session['page'];
  availableActions: { hasSearchBar: boolean; clickables: string[] };
  /** Of the last action: it could be carried out here. */
  actionValid?: boolean;
  /** Of the last action: the observation changed. A chosen option shows in rich text, in HTML and in a browser, not in plain text. */
  actionEffective?: boolean;
  /** Why the last action was not carried out. */
  reason?: string;
  /** At the end: the components of the reward, under the names of the published code. */
  rewardParts?: RewardParts;
  /** At the end: the reward is exactly 1. */
  success?: boolean;
  /** At the end: the product is the very one the instruction was written for. */
  exact?: boolean;
};

export function infoOf({ session, available }: Visitor): WebShopInfo {
  const { goal, goalIndex, page, parts, reward, asin } = session;
  return {
    instruction: goal.instruction,
    goalIndex,
    url: sessionUrl(session),
    page,
    availableActions: { hasSearchBar: available.hasSearchBar, clickables: [...available.clickables] },
    ...(page === 'done' && parts && { rewardParts: { ...parts }, success: reward === 1, exact: asin === goal.asin }),
  };
}
