/** Options of losses without a ratio: there is nothing to clip. */
import { optionGroup, tokenLossShape } from '@vlgym/rl/config';

const { temperature, aggregation, constantLength } = tokenLossShape;

/** A loss of every token, made of its log-probability. */
export const likelihoodLossOptions = optionGroup({ temperature, aggregation, constantLength });

/** A mean over labeled tokens, which leaves nothing to choose but the temperature. */
export const labelLossOptions = optionGroup({ temperature });
