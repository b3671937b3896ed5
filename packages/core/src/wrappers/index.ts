/** Layers around an environment. */
export * from './chain.js';
export * from './early-truncation.js';
export * from './frame-stack.js';
export * from './history.js';
export * from './illegal-action.js';
export * from './image-observation.js';
export * from './order-enforcing.js';
export * from './passive-checker.js';
export type { EnvWrapper, Pipe, PipeableEnv } from './pipe.js';
export * from './record-episode-statistics.js';
export * from './record-video.js';
export * from './time-limit.js';
export * from './transform-action.js';
export * from './transform-observation.js';
export * from './transform-reward.js';
export * from './wrapper.js';
