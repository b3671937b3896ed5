/**
 * Slurm: one job with the learner, its broker and the samplers, and an array job of workers, whose pre-emption costs only
 * leases. Keys are made by the job, in files that only the user reads.
 */
import { type Launch, type LaunchOptions, learnerWords, quoted, serveWords } from './plan.js';

export function slurm(options: LaunchOptions): Launch {
  return {
    files: [
      { name: 'run.sbatch', text: runJob(options) },
      { name: 'workers.sbatch', text: workersJob(options) },
    ],
    commands: [
      ['sbatch', 'run.sbatch'],
      ['sbatch', 'workers.sbatch'],
    ],
    before: [`vlgym, redis-server${options.samplers > 0 ? ' and vllm' : ''} on the PATH of the nodes`],
  };
}

const header = (job: string, lines: readonly string[]) =>
  ['#!/bin/bash', `#SBATCH --job-name=${job}`, ...lines.map((line) => `#SBATCH ${line}`)].join('\n');

function runJob(options: LaunchOptions): string {
  const { run, shared, samplers, gpus } = options;
  const home = `${shared}/${run}`;
  const gres = gpus > 0 ? [`--gres=gpu:${gpus}`] : [];
  const addresses = `printf 'http://%s:${samplers > 0 ? `8000,' "\${HOSTS[@]:1}"` : `8100' "\${HOSTS[0]}"`}`;
  return `${header(`vlgym-${run}`, [
    `--nodes=${1 + samplers}`,
    '--ntasks-per-node=1',
    ...gres,
    '--exclusive',
    '--requeue',
    '--signal=B:TERM@120',
    '--output=%x-%j.log',
  ])}
set -euo pipefail
umask 077
mapfile -t HOSTS < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
FOLDER=${quoted(home)}
mkdir -p "$FOLDER/redis" "$FOLDER/blobs" "$FOLDER/adapters"
# secrets of this run: made once, read by the user alone
[ -s "$FOLDER/redis.key" ] || od -An -N16 -tx1 /dev/urandom | tr -d ' \\n' > "$FOLDER/redis.key"
[ -s "$FOLDER/sampler.key" ] || od -An -N16 -tx1 /dev/urandom | tr -d ' \\n' > "$FOLDER/sampler.key"
VLGYM_SAMPLER_KEY=$(< "$FOLDER/sampler.key")
export VLGYM_SAMPLER_KEY VLGYM_RUN=${quoted(run)} VLGYM_BLOBS="$FOLDER/blobs"
VLGYM_QUEUE="redis://:$(< "$FOLDER/redis.key")@\${HOSTS[0]}:6379"
export VLGYM_QUEUE
SAMPLERS=$(${addresses})
# the workers' job reads this; written whole, then renamed
{
  printf 'export VLGYM_QUEUE=%q VLGYM_SAMPLERS=%q\\n' "$VLGYM_QUEUE" "$SAMPLERS"
} > "$FOLDER/address.new"
mv "$FOLDER/address.new" "$FOLDER/address"
trap 'kill -TERM $(jobs -p) 2>/dev/null; wait' TERM
printf 'requirepass %s\\n' "$(< "$FOLDER/redis.key")" > "$FOLDER/redis/secret.conf"
srun --overlap -N1 -n1 -w "\${HOSTS[0]}" redis-server "$FOLDER/redis/secret.conf" --bind 0.0.0.0 --port 6379 \\
  --appendonly yes --maxmemory-policy noeviction --dir "$FOLDER/redis" &
${
  samplers > 0
    ? `export VLLM_ALLOW_RUNTIME_LORA_UPDATING=1 VLLM_API_KEY="$VLGYM_SAMPLER_KEY"
for HOST in "\${HOSTS[@]:1}"; do
  srun --overlap -N1 -n1 -w "$HOST" vllm serve ${serveWords(options).map(quoted).join(' ')} --port 8000 &
done
export VLGYM_SAMPLERS="$SAMPLERS"
`
    : ''
}srun --overlap --kill-on-bad-exit=1 -N1 -n1 -w "\${HOSTS[0]}" vlgym ${learnerWords(options).map(quoted).join(' ')} &
# the first role that ends decides; --requeue and the checkpoint do the rest
CODE=0
wait -n || CODE=$?
kill -TERM $(jobs -p) 2>/dev/null || true
wait || true
exit "$CODE"
`;
}

function workersJob({ run, shared, workers, concurrency, model }: LaunchOptions): string {
  const withModel = model === undefined ? '' : ` --model ${quoted(model)}`;
  return `${header(`vlgym-${run}-workers`, [
    `--array=0-${workers - 1}`,
    '--ntasks=1',
    '--cpus-per-task=2',
    '--requeue',
    '--signal=B:TERM@120',
    '--output=%x-%A-%a.log',
  ])}
set -euo pipefail
FOLDER=${quoted(`${shared}/${run}`)}
for _ in $(seq 600); do [ -s "$FOLDER/address" ] && break; sleep 1; done
. "$FOLDER/address"
VLGYM_SAMPLER_KEY=$(< "$FOLDER/sampler.key")
export VLGYM_SAMPLER_KEY VLGYM_BLOBS="$FOLDER/blobs"
# exec: the signal before the time limit reaches the worker, which finishes its episodes
exec vlgym worker --all-runs --concurrency ${concurrency}${withModel} --name "slurm-$SLURM_ARRAY_JOB_ID-$SLURM_ARRAY_TASK_ID"
`;
}
