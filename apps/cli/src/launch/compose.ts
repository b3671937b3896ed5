/** Docker Compose: everything on one machine. */
import { stringify } from 'yaml';
import { type Launch, type LaunchOptions, learnerWords, serveWords } from './plan.js';

/** A shell variable; Compose refuses to start without it. */
const required = (name: string) => `\${${name}:?set it, e.g. to the output of openssl rand -hex 16}`;
const PASSWORD = required('VLGYM_REDIS_PASSWORD');
const KEY = required('VLGYM_SAMPLER_KEY');

export function compose(options: LaunchOptions): Launch {
  const { run, workers, concurrency, workerImage, learnerImage, samplerImage, samplers, gpus, model, shared } = options;
  const healthy = { broker: { condition: 'service_healthy' } };
  const mounts = [`shared:${shared}`, ...(model === undefined ? [] : [`${model}:${model}:ro`])];
  const common = {
    VLGYM_QUEUE: `redis://:${PASSWORD}@broker:6379`,
    VLGYM_RUN: run,
    VLGYM_BLOBS: `${shared}/${run}/blobs`,
    VLGYM_SAMPLER_KEY: KEY,
  };
  const served = samplers > 0 ? { VLGYM_SAMPLERS: 'http://sampler:8000' } : {};
  const hardened = { init: true, read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'], stop_grace_period: '2m' };
  const reservation = { devices: [{ driver: 'nvidia', count: gpus, capabilities: ['gpu'] }] };
  const device = gpus > 0 ? { deploy: { resources: { reservations: reservation } } } : {};
  const file = {
    name: `vlgym-${run}`,
    services: {
      broker: {
        image: 'redis:7',
        command: [
          'sh',
          '-c',
          'exec redis-server --appendonly yes --maxmemory-policy noeviction --requirepass "$$REDIS_PASSWORD"',
        ],
        environment: { REDIS_PASSWORD: PASSWORD },
        volumes: ['redis:/data'],
        healthcheck: {
          test: ['CMD-SHELL', 'redis-cli -a "$$REDIS_PASSWORD" --no-auth-warning ping | grep -q PONG'],
          interval: '5s',
        },
      },
      ...(samplers > 0 && {
        sampler: {
          image: samplerImage,
          command: serveWords(options),
          ipc: 'host',
          environment: { VLLM_ALLOW_RUNTIME_LORA_UPDATING: '1', VLLM_API_KEY: KEY },
          volumes: mounts.map((mount) => (mount.endsWith(':ro') ? mount : `${mount}:ro`)),
          ...device,
        },
      }),
      learner: {
        image: learnerImage,
        command: learnerWords(options),
        environment: { ...common, ...served },
        depends_on: healthy,
        volumes: mounts,
        ...device,
        ...hardened,
      },
      worker: {
        image: workerImage,
        command: [
          ...['worker', '--all-runs', '--concurrency', String(concurrency), '--health', '8080'],
          ...(model === undefined ? [] : ['--model', model]),
        ],
        environment: { ...common, VLGYM_SAMPLERS: samplers > 0 ? 'http://sampler:8000' : 'http://learner:8100' },
        depends_on: healthy,
        volumes: mounts,
        restart: 'on-failure',
        ...hardened,
      },
    },
    volumes: { redis: {}, shared: {} },
  };
  return {
    files: [{ name: 'compose.yaml', text: stringify(file, { lineWidth: 0 }) }],
    commands: [['docker', 'compose', '-f', 'compose.yaml', 'up', '--detach', '--scale', `worker=${workers}`]],
    before: [
      'export VLGYM_REDIS_PASSWORD="$(openssl rand -hex 16)" VLGYM_SAMPLER_KEY="$(openssl rand -hex 16)"',
      `images ${workerImage} and ${learnerImage}, built from containers/`,
    ],
  };
}
