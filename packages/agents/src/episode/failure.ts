/** How a failure ends an episode. */
import type { TruncationReason } from '@vlgym/core';
import type { BoundaryError } from '../agent.js';
import type { Decision } from './decision.js';

/** Error codes that stop an episode without a failure of the agent or the model. */
const STOPS: Readonly<Record<string, TruncationReason>> = {
  BUDGET_EXCEEDED: 'budget',
  HUMAN_QUIT: 'interrupted',
  HUMAN_UNDO: 'interrupted',
};

export const truncationReasonOf = ({ code, boundary }: BoundaryError): TruncationReason =>
  STOPS[code] ?? `${boundary}-error`;

/** The failure of an unreadable answer that ends the episode. */
export function unreadable({ parsed }: Decision): BoundaryError {
  const message = `No action could be read from the response (${parsed?.reason ?? 'no reason given'}).`;
  return { boundary: 'parser', code: 'NO_ACTION', message };
}
