/** Plain words of the contract, on which its parts stand, too. */

/**
 * Diagnostics besides the observation. Plain data, stored in trajectories as JSON. At reset, `taskKey` identifies the
 * task of the episode, if the environment has task keys (`TaskInfo`).
 */
export type Info = Record<string, unknown>;

export type RenderMode = 'rgb_array' | 'ansi' | 'human';
