/** The report of an evaluation or a suite of agents, as data. */
import type { SuiteCell, SuiteResult } from '@vlgym/agents';
import type { CellComparison } from '@vlgym/agents/statistics';

export interface AgentReport {
  readonly title: string;
  readonly lead: string;
  /** To paste into a shell. */
  readonly command: string;
  readonly cells: readonly SuiteCell[];
  readonly comparisons: readonly CellComparison[];
  readonly baselines: SuiteResult['baselines'];
  readonly facts: readonly (readonly [name: string, value: string])[];
}
