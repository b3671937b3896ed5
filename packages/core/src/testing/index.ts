/** Small environments for tests. */
export * from './counting-env.js';
export * from './scripted-env.js';
