/** Training in several processes. */
export { LauncherEnvironmentError, processGroupFromEnvironment } from './environment.js';
export { GradientBuckets, type GradientBucketsOptions } from './gradient-buckets.js';
export { ProcessGroup, type ProcessGroupOptions } from './process-group.js';
