/** The reason why an episode was truncated: one list for environments, wrappers, vectors, evaluation and trajectories. */
export const truncationReasons = [
  /** The environment or a wrapper, without a further reason. */
  'environment',
  /** The wrapper `timeLimit`. */
  'time-limit',
  /** The wrapper `earlyEnd`, which names the rule in `info.rule`, or a rule of an algorithm. */
  'rule',
  /** The environment threw. */
  'environment-error',
  /** The environment did not respond within `stepTimeoutMs` of its vector. */
  'step-timeout',
  /** The worker thread of the environment ended. */
  'worker-crashed',
  /** The runner's limit of turns. */
  'step-limit',
  'budget',
  'agent-error',
  'model-error',
  'parser-error',
  'tool-error',
  /** The run was stopped. */
  'interrupted',
] as const;
export type TruncationReason = (typeof truncationReasons)[number];
