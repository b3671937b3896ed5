/** SkyPilot: workers on spot machines of any cloud, next to a learner and a broker that run elsewhere. */
import { stringify } from 'yaml';
import { type Launch, type LaunchOptions, quoted } from './plan.js';

export function skypilot({ run, workers, concurrency, bucket, workerImage, model }: LaunchOptions): Launch {
  const withModel = model === undefined ? '' : ` --model ${quoted(model)}`;
  const task = {
    name: `vlgym-${run}-workers`,
    num_nodes: workers,
    resources: {
      cpus: '4+',
      // leases expire, so a machine that is taken away costs what it was playing
      use_spot: true,
      image_id: `docker:${workerImage}`,
      job_recovery: { strategy: 'FAILOVER', max_restarts_on_errors: 3 },
    },
    file_mounts: { '/blobs': { source: `s3://${bucket}`, mode: 'MOUNT_CACHED' } },
    envs: { VLGYM_RUN: run, VLGYM_BLOBS: '/blobs' },
    // passed on the command line, so that no file contains them
    secrets: { VLGYM_QUEUE: null, VLGYM_SAMPLERS: null, VLGYM_SAMPLER_KEY: null },
    run: `exec vlgym worker --all-runs --concurrency ${concurrency}${withModel} --name "sky-$SKYPILOT_NODE_RANK"\n`,
  };
  return {
    files: [{ name: 'workers.yaml', text: stringify(task, { lineWidth: 0 }) }],
    commands: [
      [
        ...(['sky', 'jobs', 'launch', '--yes'] as const),
        ...['--secret', 'VLGYM_QUEUE', '--secret', 'VLGYM_SAMPLERS', '--secret', 'VLGYM_SAMPLER_KEY', 'workers.yaml'],
      ],
    ],
    before: [
      'export VLGYM_QUEUE=rediss://… VLGYM_SAMPLERS=https://… VLGYM_SAMPLER_KEY=…   # as the machines of the cloud reach them',
      `the learner next to Redis, with --blobs on the bucket s3://${bucket}`,
    ],
  };
}
