/** Info of the text environment in addition to the observation, as plain data. */
import type { RewardParts } from '../reward/reward.js';
import { type Session, sessionUrl } from '../shop/session.js';
import type { Visitor } from '../shop/visitor.js';

export type WebShopInfo = {
  /** The shopper's instruction, without the prefix `Instruction: ` of the original's text environment. */
  instruction: string;
  /** Product, attributes, options, and price bound of the goal (`goalKey`); at reset. */
  taskKey?: string;
  /** Index of the goal in the shuffled list. */
  goalIndex: number;
  url: string;
  page: Session['page'];
  availableActions: { hasSearchBar: boolean; clickables: string[] };
  /** Label of the button that closes the open pop-up; in a browser, with the disturbance `pop-ups`. */
  popUp?: string;
  /** Whether the last action could be performed. */
  actionValid?: boolean;
  /** Whether the last action changed the observation. A chosen option shows in every mode but plain text. */
  actionEffective?: boolean;
  /** The reason why the last action was not performed. */
  reason?: string;
  /** Components of the reward, named as in the published code; at the end. */
  rewardParts?: RewardParts;
  /** Whether the reward is exactly 1; at the end. */
  success?: boolean;
  /** Whether the bought product is the one for which the instruction was written; at the end. */
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
