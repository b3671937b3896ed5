/** Kubernetes: a JobSet of learner and workers, a StatefulSet for the broker, a Deployment for samplers. */
import { stringify } from 'yaml';
import { type Launch, type LaunchOptions, learnerWords, serveWords } from './plan.js';

export function kubernetes(options: LaunchOptions): Launch {
  const { run, samplers } = options;
  const documents = [broker(options), service(options, 'redis', 6379), ...samplerParts(options), jobSet(options)];
  const secret = `vlgym-${run}`;
  return {
    files: [
      { name: 'run.yaml', text: documents.map((document) => stringify(document, { lineWidth: 0 })).join('---\n') },
    ],
    commands: [['kubectl', 'apply', '-f', 'run.yaml']],
    before: [
      'JobSet in the cluster: https://jobset.sigs.k8s.io',
      `a PersistentVolumeClaim "${secret}" that many nodes may write (ReadWriteMany)`,
      `kubectl create secret generic ${secret} --from-literal=redis="$(openssl rand -hex 16)" --from-literal=sampler="$(openssl rand -hex 16)"`,
      ...(samplers > 0 ? ['nodes with GPUs for the samplers'] : []),
    ],
  };
}

const labels = ({ run }: LaunchOptions, role: string) => ({
  'app.kubernetes.io/name': 'vlgym',
  'app.kubernetes.io/instance': run,
  'app.kubernetes.io/component': role,
});

const fromSecret = (options: LaunchOptions, name: string, key: string) => ({
  name,
  valueFrom: { secretKeyRef: { name: `vlgym-${options.run}`, key } },
});

/** Later variables may name earlier ones as $(NAME). */
const environment = (options: LaunchOptions, role: 'learner' | 'worker') => {
  const { run, shared, samplers } = options;
  const learner = `vlgym-${run}-learner-0-0.vlgym-${run}`;
  const served = `http://vlgym-${run}-sampler:8000`;
  const address = samplers > 0 ? served : role === 'worker' ? `http://${learner}:8100` : undefined;
  return [
    fromSecret(options, 'REDIS_PASSWORD', 'redis'),
    fromSecret(options, 'VLGYM_SAMPLER_KEY', 'sampler'),
    { name: 'VLGYM_QUEUE', value: `redis://:$(REDIS_PASSWORD)@vlgym-${run}-redis:6379` },
    { name: 'VLGYM_RUN', value: run },
    { name: 'VLGYM_BLOBS', value: `${shared}/${run}/blobs` },
    ...(address === undefined ? [] : [{ name: 'VLGYM_SAMPLERS', value: address }]),
  ];
};

const sharedVolume = ({ run }: LaunchOptions) => ({
  name: 'shared',
  persistentVolumeClaim: { claimName: `vlgym-${run}` },
});
const memory = { name: 'shm', emptyDir: { medium: 'Memory' } };
const scratch = { name: 'tmp', emptyDir: {} };

/** Drops the rights that none of the roles needs. */
const RESTRICTED = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
};

function broker(options: LaunchOptions) {
  const name = `vlgym-${options.run}-redis`;
  const own = labels(options, 'redis');
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name, labels: own },
    spec: {
      serviceName: name,
      replicas: 1,
      selector: { matchLabels: own },
      template: {
        metadata: { labels: own },
        spec: {
          containers: [
            {
              name: 'redis',
              image: 'redis:7',
              command: ['sh', '-c'],
              args: [
                'exec redis-server --appendonly yes --maxmemory-policy noeviction --requirepass "$REDIS_PASSWORD"',
              ],
              env: [fromSecret(options, 'REDIS_PASSWORD', 'redis')],
              ports: [{ containerPort: 6379 }],
              readinessProbe: { tcpSocket: { port: 6379 } },
              volumeMounts: [{ name: 'data', mountPath: '/data' }],
            },
          ],
        },
      },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '5Gi' } } },
        },
      ],
    },
  };
}

function service(options: LaunchOptions, role: string, port: number) {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `vlgym-${options.run}-${role}`, labels: labels(options, role) },
    spec: { selector: labels(options, role), ports: [{ port }] },
  };
}

function samplerParts(options: LaunchOptions): object[] {
  const { samplers, samplerImage, gpus, run, shared } = options;
  if (samplers === 0) return [];
  const own = labels(options, 'sampler');
  const container = {
    name: 'sampler',
    image: samplerImage,
    args: serveWords(options),
    env: [{ name: 'VLLM_ALLOW_RUNTIME_LORA_UPDATING', value: '1' }, fromSecret(options, 'VLLM_API_KEY', 'sampler')],
    ports: [{ containerPort: 8000 }],
    readinessProbe: { httpGet: { path: '/health', port: 8000 } },
    // a large model takes its time
    startupProbe: { httpGet: { path: '/health', port: 8000 }, periodSeconds: 30, failureThreshold: 90 },
    ...(gpus > 0 && { resources: { limits: { 'nvidia.com/gpu': gpus } } }),
    volumeMounts: [
      { name: 'shm', mountPath: '/dev/shm' },
      { name: 'shared', mountPath: shared, readOnly: true },
    ],
  };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `vlgym-${run}-sampler`, labels: own },
    spec: {
      replicas: samplers,
      selector: { matchLabels: own },
      template: {
        metadata: { labels: own },
        spec: { containers: [container], volumes: [memory, sharedVolume(options)] },
      },
    },
  };
  return [deployment, service(options, 'sampler', 8000)];
}

function jobSet(options: LaunchOptions) {
  const { run, queueName } = options;
  return {
    apiVersion: 'jobset.x-k8s.io/v1alpha2',
    kind: 'JobSet',
    metadata: {
      name: `vlgym-${run}`,
      labels: { ...labels(options, 'run'), ...(queueName && { 'kueue.x-k8s.io/queue-name': queueName }) },
    },
    spec: {
      ...(queueName && { suspend: true }),
      failurePolicy: { maxRestarts: 3 },
      successPolicy: { operator: 'All', targetReplicatedJobs: ['learner'] },
      replicatedJobs: [learnerJob(options), workerJob(options)],
    },
  };
}

function learnerJob(options: LaunchOptions) {
  const { learnerImage, gpus, shared } = options;
  const container = {
    name: 'learner',
    image: learnerImage,
    args: learnerWords(options),
    env: environment(options, 'learner'),
    ...(gpus > 0 && { resources: { limits: { 'nvidia.com/gpu': gpus } } }),
    securityContext: RESTRICTED,
    volumeMounts: [
      { name: 'shm', mountPath: '/dev/shm' },
      { name: 'tmp', mountPath: '/tmp' },
      { name: 'shared', mountPath: shared },
    ],
  };
  const pod = {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 120,
    containers: [container],
    volumes: [memory, scratch, sharedVolume(options)],
  };
  return {
    name: 'learner',
    replicas: 1,
    template: {
      spec: { completionMode: 'Indexed', parallelism: 1, completions: 1, backoffLimit: 0, template: { spec: pod } },
    },
  };
}

function workerJob(options: LaunchOptions) {
  const { workerImage, workers, concurrency, shared, model } = options;
  const container = {
    name: 'worker',
    image: workerImage,
    args: [
      ...['worker', '--all-runs', '--concurrency', String(concurrency), '--health', '8080'],
      ...(model === undefined ? [] : ['--model', model]),
    ],
    env: environment(options, 'worker'),
    resources: { requests: { cpu: '2', memory: '4Gi' } },
    livenessProbe: { httpGet: { path: '/health', port: 8080 }, periodSeconds: 30, failureThreshold: 4 },
    readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
    securityContext: RESTRICTED,
    volumeMounts: [
      { name: 'tmp', mountPath: '/tmp' },
      { name: 'shared', mountPath: shared },
    ],
  };
  const pod = {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 120,
    containers: [container],
    volumes: [scratch, sharedVolume(options)],
  };
  return {
    name: 'worker',
    replicas: 1,
    template: {
      spec: {
        completionMode: 'Indexed',
        parallelism: workers,
        completions: workers,
        backoffLimitPerIndex: 10,
        podReplacementPolicy: 'Failed',
        podFailurePolicy: {
          rules: [
            { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
            // a wrong option does not become right by trying again
            { action: 'FailIndex', onExitCodes: { operator: 'In', values: [2] } },
          ],
        },
        template: { spec: pod },
      },
    },
  };
}
