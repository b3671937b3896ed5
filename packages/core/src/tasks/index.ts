/** What an episode is about, and whether it is for training or for testing. */
export * from './split.js';
export * from './task-key.js';
