/** Does an environment keep the contract? */
export * from './finding.js';
