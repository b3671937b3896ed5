/** Layers around an environment. */
export * from './chain.js';
export * from './order-enforcing.js';
export * from './passive-checker.js';
export * from './pipe.js';
export * from './record-episode-statistics.js';
export * from './time-limit.js';
export * from './transform-action.js';
export * from './transform-observation.js';
export * from './transform-reward.js';
export * from './wrapper.js';
