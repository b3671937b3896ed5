/**
 * A misspelled name of an option, as JavaScript may call it: refused with the right name, by whatever takes options.
 * Agents have theirs in `packages/agents/src/misspelled-options.test.ts`.
 */
import { Episode } from '@vlgym/agents/episode';
import { importData } from '@vlgym/alfworld/data';
import * as core from '@vlgym/core';
import { SeedSequence } from '@vlgym/core/random';
import { BoxSpace, DiscreteSpace, TextSpace } from '@vlgym/core/spaces';
import { checkTrajectory, recordEpisode, replay } from '@vlgym/core/trajectory';
import { ConcurrentVectorEnv, SerialVectorEnv, threadEnvs } from '@vlgym/core/vector';
import {
  ApngWriter,
  clipReward,
  earlyEnd,
  history,
  illegalAction,
  normalizeObservation,
  normalizeReward,
  recordEpisodeStatistics,
  recordVideo,
  rescaleAction,
  resizeObservation,
  stickyAction,
} from '@vlgym/core/wrappers';
import { readExamples } from '@vlgym/datasets';
import * as gpu from '@vlgym/gpu';
import { EnvServer } from '@vlgym/gymnasium/server';
import * as models from '@vlgym/models';
import { chatMl, JinjaTemplate } from '@vlgym/models/tokenizer';
import { NumberLineEnv, solve } from '@vlgym/points24';
import * as queue from '@vlgym/queue';
import {
  AdapterPublisher,
  handshake,
  LlamaCppEngine,
  probe,
  RemoteSampler,
  Replicas,
  SglangEngine,
  VllmEngine,
} from '@vlgym/queue/engines';
import * as render from '@vlgym/render';
import { createWebGLRenderer } from '@vlgym/render/webgl';
import * as rl from '@vlgym/rl';
import { Collector, playEpisode } from '@vlgym/rl/rollout';
import { demonstrations, supervisedWarmStart, trainSupervised } from '@vlgym/rl/warm-start';
import { envEndpoint, OpenEnvClient, OpenEnvServer, ServedEnv, SessionTable, serve } from '@vlgym/serve';
import { mcpTools } from '@vlgym/serve/mcp';
import { loadCatalog } from '@vlgym/webshop';
import { describe, expect, it } from 'vitest';

const env = () => new NumberLineEnv() as never;
const any = {} as never;

/** The call, with one name misspelled, and the correct name. */
type Call = readonly [name: string, call: (options: never) => unknown, misspelled: object, right: string];

const CORE: Call[] = [
  ['checkEnv', (options) => core.checkEnv(env, options), { stpes: 5 }, 'steps'],
  ['makeVec', (options) => core.makeVec('vlgym/NumberLine-v1', options), { numEnvs: 2, autoReset: 1 }, 'autoreset'],
  ['SerialVectorEnv', (options) => SerialVectorEnv.create(env, options), { numEnv: 2 }, 'numEnvs'],
  ['ConcurrentVectorEnv', (options) => ConcurrentVectorEnv.create(env, options), { concurency: 2 }, 'concurrency'],
  ['replay', (options) => replay(any, options), { envOption: {} }, 'envOptions'],
  ['recordEpisode', (options) => recordEpisode(any, options), { image: any }, 'images'],
  ['checkTrajectory', (options) => checkTrajectory(any, options), { loadImages: any }, 'loadImage'],
  ['ApngWriter', (options) => new ApngWriter('x.png', options), { FPS: 3 }, 'fps'],
  ['earlyEnd', (options) => earlyEnd(options)(env()), { reward: [1], repeatedAction: 3 }, 'repeatedActions'],
  ['history', (options) => history(2, options)(env()), { maxImage: 3 }, 'maxImages'],
  ['illegalAction', (options) => illegalAction(options)(env()), { rewards: -1 }, 'reward'],
  ['recordVideo', (options) => recordVideo(options)(env()), { floder: 'x' }, 'folder'],
  ['stickyAction', (options) => stickyAction(options)(env()), { probabilty: 0.1 }, 'probability'],
  ['normalizeReward', (options) => normalizeReward(options)(env()), { gama: 0.1 }, 'gamma'],
  ['normalizeObservation', (options) => normalizeObservation(options)(env()), { epsilom: 0.1 }, 'epsilon'],
  ['recordEpisodeStatistics', (o) => recordEpisodeStatistics(o)(env()), { buferLength: 1 }, 'bufferLength'],
  ['rescaleAction', (options) => rescaleAction(options), { mim: 0 }, 'min'],
  ['clipReward', (options) => clipReward(options), { mx: 0 }, 'max'],
  ['resizeObservation', (options) => resizeObservation(options), { height: 3, widht: 3 }, 'width'],
  ['BoxSpace', (options) => new BoxSpace(options), { low: 0, high: 1, dtpye: 'int8' }, 'dtype'],
  ['DiscreteSpace', (options) => new DiscreteSpace(3, options), { strat: 1 }, 'start'],
  ['TextSpace', (options) => new TextSpace(options), { maxLength: 3, charSets: 'a' }, 'charset'],
];

const LEARNING: Call[] = [
  ['train', (options) => rl.train(options), { update: 3 }, 'updates'],
  ['evaluatePolicy', (options) => rl.evaluatePolicy(any, options, 0, any), { seed: [1] }, 'seeds'],
  ['threadEnvs', (options) => threadEnvs('x', options), { thread: 3 }, 'threads'],
  ['trainSupervised', (options) => trainSupervised(options), { learningRates: 3 }, 'learningRate'],
  ['supervisedWarmStart', (options) => supervisedWarmStart(options), { example: 3 }, 'examples'],
  ['until of a warm start', (until) => supervisedWarmStart({ until } as never), { setting: {} }, 'settings'],
  ['demonstrations', (options) => demonstrations(options).next(), { mistake: 0.5 }, 'mistakes'],
  ['playEpisode', (options) => playEpisode(options), { sampeler: any }, 'sampler'],
  ['Collector', (options) => new Collector(options), { enviroments: [] }, 'environments'],
  ['readExamples', (options) => readExamples('x', options).next(), { episode: 'all' }, 'episodes'],
];

const MODELS: Call[] = [
  ['createPolicy', (options) => models.createPolicy(options), { modle: 'x' }, 'model'],
  [
    'createPolicy, adapters',
    (options) => models.createPolicy({ preset: 'tiny', train: { lora: options } }),
    { r: 2, alpha: 4, droput: 0.1 },
    'dropout',
  ],
  ['loadPolicy', (options) => models.loadPolicy('x', options), { devices: 'cpu' }, 'device'],
  ['loadModel', (options) => models.loadModel('x', options), { dtpye: 'float32' }, 'dtype'],
  ['inspectModel', (options) => models.inspectModel('x', options), { token: 5 }, 'tokens'],
  ['openTokenCodec', (options) => models.openTokenCodec(options), { modell: 'x' }, 'model'],
  ['JinjaTemplate', (options) => new JinjaTemplate('x', options), { souce: 'x' }, 'source'],
  ['chatMl', (options) => chatMl(options), { defaultSytem: 'x' }, 'defaultSystem'],
];

const QUEUE: Call[] = [
  ['Orchestrator', (options) => queue.Orchestrator.open(options), { maxOpne: 3 }, 'maxOpen'],
  ['MemoryQueue', (options) => new queue.MemoryQueue(options), { concurency: 3 }, 'concurrency'],
  ['RedisQueue', (options) => new queue.RedisQueue(options), { attempt: 3 }, 'attempts'],
  ['RedisWorker', (options) => new queue.RedisWorker(options), { concurency: 3 }, 'concurrency'],
  ['QueueSource', (options) => new queue.QueueSource(options), { groupsSize: 3 }, 'groupSize'],
  ['SamplerPlayer', (options) => new queue.SamplerPlayer(options), { stateKey: true }, 'stateKeys'],
  ['AgentPlayer', (options) => new queue.AgentPlayer(options), { maxStep: 3 }, 'maxSteps'],
  ['planOf', (options) => queue.planOf(options), { groupsize: 3 }, 'groupSize'],
  ['performOrder', (options) => queue.performOrder(any, options), { blob: 3 }, 'blobs'],
  ['Replicas', (options) => new Replicas([], options), { failure: 3 }, 'failures'],
  ['VllmEngine', (options) => new VllmEngine(options), { urll: 'http://x' }, 'url'],
  ['SglangEngine', (options) => new SglangEngine(options), { apikey: 'x' }, 'apiKey'],
  ['LlamaCppEngine', (options) => new LlamaCppEngine(options), { limitms: 3 }, 'limitMs'],
  ['RemoteSampler', (options) => new RemoteSampler(options), { replica: 3 }, 'replicas'],
  ['AdapterPublisher', (options) => new AdapterPublisher(options), { floder: 'x' }, 'folder'],
  ['BatchingSampler', (options) => new queue.BatchingSampler(any, options), { maxRow: 3 }, 'maxRows'],
  ['SamplingServer', (options) => queue.SamplingServer.start(options), { polcy: 3 }, 'policy'],
  ['handshake', (options) => handshake(any, options), { codecs: 3 }, 'codec'],
  ['probe', (options) => probe(any, options), { tolerances: 3 }, 'tolerance'],
];

const SMALL: Call[] = [
  ['createRenderer', (options) => render.createRenderer(options), { sample: 4 }, 'samples'],
  ['createSoftRenderer', (options) => render.createSoftRenderer(options), { filtre: 'fast' }, 'filter'],
  ['createWebGLRenderer', (options) => createWebGLRenderer(options), { canvas: any, normal: 'unit' }, 'normals'],
  ['make', (options) => core.make('vlgym/NumberLine-v1', options), { maxEpisodeStep: 3 }, 'maxEpisodeSteps'],
  ['parseResponse', (options) => core.parseResponse('x', options), { action: ['a'] }, 'actions'],
  ['sample of a space', (options) => new DiscreteSpace(3).sample(options), { maks: any }, 'mask'],
  ['choice of a generator', (options) => new core.Generator(1).choice([1, 2], options), { replac: true }, 'replace'],
  ['SeedSequence', (options) => new SeedSequence(1, options), { spawnkey: [1] }, 'spawnKey'],
  ['reset of an Episode', (options) => new Episode(env()).reset(options), { sede: 1 }, 'seed'],
  ['solve', (options) => solve([1, 2, 3, 4], options), { taget: 24 }, 'target'],
  ['loadCatalog', (options) => loadCatalog(any, options), { limt: 3 }, 'limit'],
  ['importData', (options) => importData('x', options), { too: 'x' }, 'to'],
  ['zeros', (options) => gpu.zeros([2], options), { dtpye: 'int8' }, 'dtype'],
  ['tensor', (options) => gpu.tensor([1, 2], options), { requireGrad: true }, 'requiresGrad'],
  ['randn', (options) => gpu.randn([2], options), { generatr: any }, 'generator'],
  ['take of an Orchestrator', (o) => queue.Orchestrator.prototype.take.call(any, 1, o), { singal: any }, 'signal'],
];

const SERVING: Call[] = [
  ['SessionTable', (options) => new SessionTable(options), { maxSession: 3 }, 'maxSessions'],
  ['mcpTools', (options) => mcpTools(any, options), { onyl: ['x'] }, 'only'],
  ['serve', (options) => serve(options), { env: ['x'] }, 'envs'],
  ['OpenEnvServer', (options) => new OpenEnvServer(any, options), { maxSession: 3 }, 'maxSessions'],
  ['OpenEnvClient', (o) => OpenEnvClient.connect('http://localhost:1', o), { header: {} }, 'headers'],
  ['envEndpoint', (options) => envEndpoint(any, options), { fase: 'x' }, 'face'],
  ['ServedEnv', (options) => ServedEnv.create(options), { id: 'x', option: {} }, 'options'],
  ['EnvServer', (options) => new EnvServer(any, options), { sockte: 'x' }, 'socket'],
];

describe.each([
  ['core', CORE],
  ['learning', LEARNING],
  ['models', MODELS],
  ['queue', QUEUE],
  ['serving', SERVING],
  ['small functions', SMALL],
])('of %s', (_, calls) => {
  it.each(calls)('%s', async (_name, call, misspelled, right) => {
    await expect((async () => call(misspelled as never))()).rejects.toMatchObject({
      code: 'UNKNOWN_OPTION',
      hint: `did you mean "${right}"?`,
    });
  });
});
