/** @vlgym/queue: rollouts over many processes and machines. */
export { BlobDamagedError, BlobMissingError, type BlobStore, FolderBlobs, MemoryBlobs } from './blobs/blob-store.js';
export { EpisodeInvalidError, episodeFromBytes, episodeToBytes } from './blobs/episode-bytes.js';
export { AdapterPublisher, adapterName } from './engines/adapter-publisher.js';
export { handshake } from './engines/handshake.js';
export { LlamaCppEngine } from './engines/llama-cpp.js';
export { probe } from './engines/probe.js';
export { RemoteSampler } from './engines/remote-sampler.js';
export { Replicas } from './engines/replicas.js';
export { SglangEngine } from './engines/sglang.js';
export { VllmEngine } from './engines/vllm.js';
export { type Ledger, MemoryLedger } from './ledger/ledger.js';
export {
  LedgerDamagedError,
  LedgerFile,
  type LedgerIdentity,
  LedgerMismatchError,
  readLedger,
} from './ledger/ledger-file.js';
export { isPlayed, type LedgerRecord, ledgerRecordSchema, OUTCOMES } from './ledger/record.js';
export { LeaderError, MemoryQueue, type MemoryQueueOptions } from './memory/memory-queue.js';
export { ReplayEndedError, ReplayQueue } from './memory/replay-queue.js';
export {
  NoProgressError,
  type OrchestratorEvent,
  QueueUnavailableError,
  ReplayIncompleteError,
  SamplersDownError,
  type Wait,
} from './orchestrator/events.js';
export type { CollectorPoint, OrchestratorOptions, RunCounts } from './orchestrator/options.js';
export { Orchestrator } from './orchestrator/orchestrator.js';
export { generatorOf, type PlanOptions, planOf, type WorkOrder, workOrderSchema } from './order.js';
export type { RedisQueueOptions } from './redis/queue-options.js';
export { RedisQueue } from './redis/redis-queue.js';
export { RedisWorker, type RedisWorkerOptions } from './redis/redis-worker.js';
export {
  type Delivery,
  type OrderReport,
  type OrderState,
  PRIORITY,
  type QueueStatus,
  type Refusal,
  type RolloutQueue,
  type WorkerLedger,
  type WorkerReport,
} from './rollout-queue.js';
export { type BatchingOptions, BatchingSampler } from './sampling/batching-sampler.js';
export { type ImageTokens, SamplingServer, type SamplingServerOptions } from './sampling/sampling-server.js';
export { NoEpisodesError, QueueSource, type QueueSourceOptions, type QueueSourceState } from './source/queue-source.js';
export { type ReadTakenOptions, readTaken, type TakenEpisode } from './source/read-taken.js';
export { AgentPlayer, type AgentPlayerOptions } from './worker/agent-player.js';
export { HealthServer } from './worker/health-server.js';
export { type FaultPoint, type PerformOptions, performOrder, type Verdict } from './worker/perform-order.js';
export { type EpisodePlayer, SamplerPlayer, type SamplerPlayerOptions } from './worker/player.js';
