/** Servers of models that sample. */
export {
  AdapterPublisher,
  type AdapterPublisherOptions,
  adapterName,
  type PublishedAdapter,
} from './adapter-publisher.js';
export type { Engine, EngineRequest, EngineResponse } from './engine.js';
export {
  EngineAnswerError,
  EngineError,
  HandshakeError,
  NoHealthyReplicaError,
  PromptMismatchError,
} from './errors.js';
export { type HandshakeOptions, handshake } from './handshake.js';
export type { HttpOptions } from './http.js';
export { LlamaCppEngine } from './llama-cpp.js';
export { type ProbeOptions, type ProbeReport, probe, SamplerDiffersError } from './probe.js';
export { RemoteSampler, type RemoteSamplerOptions, type TokenCodec } from './remote-sampler.js';
export { type ReplicaOptions, type ReplicaStatus, Replicas } from './replicas.js';
export { SglangEngine } from './sglang.js';
export { VllmEngine } from './vllm.js';
