/** Does an environment keep the contract? */
export * from './check-env.js';
export * from './finding.js';
