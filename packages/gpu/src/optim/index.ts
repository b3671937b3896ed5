/** Optimizers: the names of `torch.optim`. */
export { Adam, type AdamOptions, AdamW } from './adam.js';
export { clipGradNorm_, NonFiniteGradientError } from './clip.js';
export { CombinedOptimizer } from './combined.js';
export { Muon, type MuonOptions } from './muon.js';
export { Optimizer, type OptimizerState, OptimizerStateError, type ParameterGroup } from './optimizer.js';
export { SGD, type SGDOptions } from './sgd.js';
export { ShardedOptimizer } from './sharded.js';
