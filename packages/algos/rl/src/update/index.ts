/** The update loop: mini-batches, objectives, optimization, supervised steps; what is measured and written of it. */
export { withGrayPictures, withWrongPictures } from '../diagnostics/sight.js';
export { fileVersionRecord, type ImageSummary, imagesRecord } from '../training/tensorboard.js';
export { conversations } from './conversations.js';
export { type CosineOptions, cosine, type WarmupCosineOptions, warmupCosine } from './cosine.js';
export type { CriticLoss } from './critic.js';
export { LossBatch } from './loss-batch.js';
export { type MicroBatchLimits, microBatches } from './micro-batches.js';
export { type MicroBatch, type MiniBatch, miniBatches } from './minibatches.js';
export type { Actor, ActorLoss, Objective } from './objective.js';
export { isWarmup, type OptimizeHooks, optimize } from './optimize.js';
export { type Averaging, type ReduceOptions, reduceCritic, reduceLoss } from './reduce.js';
export { type LabeledSequence, type SuperviseOptions, supervise } from './supervise.js';
