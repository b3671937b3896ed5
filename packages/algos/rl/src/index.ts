export * from './policy.js';
export * from './tensor.js';
