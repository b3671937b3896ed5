export * from './agent.js';
export * from './token-model.js';
