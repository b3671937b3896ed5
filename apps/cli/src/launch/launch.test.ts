/**
 * Test 35 of the scaling plan, without a cluster: scripts that bash accepts, a Slurm job whose roles run here with stand-ins
 * for its tools, and YAML whose structure is that of the launcher's documents.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { compose } from './compose.js';
import { kubernetes } from './kubernetes.js';
import { checkLaunch, type LaunchOptions, launchOptions, learnerWords, quoted, serveWords, wordsOf } from './plan.js';
import { skypilot } from './skypilot.js';
import { slurm } from './slurm.js';

const schema = z.object(launchOptions);
const optionsOf = (given: Partial<LaunchOptions> = {}): LaunchOptions => schema.parse(given);
const served = optionsOf({
  samplers: 2,
  model: "/models/it's a model",
  workers: 4,
  learner: 'bench vlgym/Points24-v1',
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vlgym-launch-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const textOf = (launch: ReturnType<typeof slurm>, name: string) =>
  launch.files.find((file) => file.name === name)!.text;

describe('the plan', () => {
  it('adds to the learner what a restart and its workers need, and nothing that was given', () => {
    expect(learnerWords(optionsOf())).toEqual(
      'train vl-dac --folder /shared/demo/run --listen 0.0.0.0:8100 --resume'.split(' '),
    );
    expect(learnerWords(optionsOf({ learner: 'train rl4vlm --folder /a --resume' }))).toEqual(
      'train rl4vlm --folder /a --resume --listen 0.0.0.0:8100'.split(' '),
    );
    expect(learnerWords(served)).toEqual([
      ...['bench', 'vlgym/Points24-v1', '--out', '/shared/demo/run', '--model', "/models/it's a model"],
      ...['--adapters', '/shared/demo/adapters'],
    ]);
  });

  it.each([
    ['bench vlgym/Points24-v1', '256'],
    ['train vl-dac --lora-rank 16', '32'],
    ['train vl-dac --lora-rank=24', '64'],
  ])('vLLM makes room for a warm start next to what is trained: %s', (learner, rank) => {
    const words = serveWords({ ...served, learner });
    expect(words[words.indexOf('--max-lora-rank') + 1]).toBe(rank);
  });

  it('refuses samplers without a model, and other commands', () => {
    expect(() => checkLaunch(optionsOf({ samplers: 1 }))).toThrow('--samplers needs --model FOLDER.');
    expect(() => checkLaunch(optionsOf({ learner: 'doctor' }))).toThrow('--learner runs train or bench');
    expect(schema.safeParse({ run: 'Demo; rm -rf /' }).success).toBe(false);
    expect(schema.safeParse({ shared: '/a b' }).success).toBe(false);
  });

  it('quotes words so that bash gives them back', () => {
    for (const word of ['plain', "it's", '$HOME `id` "x"', 'a b', '']) {
      const { stdout } = spawnSync('bash', ['-c', `printf '%s' ${quoted(word)}`], { encoding: 'utf8' });
      expect(stdout).toBe(word);
    }
    expect(wordsOf(`train vl-dac --set 'a b=1' --x "c d"`)).toEqual([
      'train',
      'vl-dac',
      '--set',
      'a b=1',
      '--x',
      'c d',
    ]);
  });
});

describe('Slurm', () => {
  it.each([optionsOf(), served])('gives scripts that bash can parse', (options) => {
    for (const { text } of slurm(options).files) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
      expect(stderr).toBe('');
      expect(status).toBe(0);
      // Slurm reads its lines before the first command only
      const lines = text.split('\n');
      const first = lines.findIndex((line) => !line.startsWith('#'));
      expect(lines.findLastIndex((line) => line.startsWith('#SBATCH'))).toBeLessThan(first);
    }
  });

  it('starts every role with its keys and addresses, and ends when the learner does', () => {
    const log = join(folder, 'log');
    writeFileSync(log, '');
    const tool = (name: string, body: string) =>
      writeFileSync(join(folder, name), `#!/bin/bash\n${body}\n`, { mode: 0o755 });
    tool('scontrol', 'printf "node1\\nnode2\\nnode3\\n"');
    // drops the options of srun, and runs the rest here
    tool(
      'srun',
      'while [[ $1 == -* ]]; do if [[ $1 == -w ]]; then HOST=$2; shift; fi; shift; done; NODE=$HOST exec "$@"',
    );
    tool('redis-server', `echo "redis $NODE $(cat "$1")" >> ${log}; exec sleep 30`);
    tool('vllm', `echo "vllm $NODE $*" >> ${log}; exec sleep 30`);
    // the others are started in the background, at the same time
    tool(
      'vlgym',
      `while [ "$(wc -l < ${log})" -lt 3 ]; do :; done; echo "vlgym $VLGYM_QUEUE $VLGYM_SAMPLERS $*" >> ${log}; exit 3`,
    );
    const shared = join(folder, 'shared');
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}`, SLURM_JOB_NODELIST: 'node[1-3]' };
    const { status, stderr } = spawnSync('bash', [], {
      input: textOf(slurm({ ...served, shared }), 'run.sbatch'),
      env,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(status).toBe(3);
    const key = readFileSync(join(shared, 'demo/redis.key'), 'utf8');
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(statSync(join(shared, 'demo/redis.key')).mode & 0o077).toBe(0);
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    const learner = `vlgym redis://:${key}@node1:6379 http://node2:8000,http://node3:8000, bench vlgym/Points24-v1`;
    expect(lines.at(-1)).toContain(learner);
    expect(lines.filter((line) => line === `redis node1 requirepass ${key}`)).toHaveLength(1);
    for (const host of ['node2', 'node3']) {
      expect(lines.find((line) => line.startsWith(`vllm ${host} serve`))).toContain("--model /models/it's a model");
    }
    // an array task of workers finds the same
    tool('vlgym', `echo "$VLGYM_QUEUE $VLGYM_SAMPLERS $*" > ${log}`);
    const array = { ...env, SLURM_ARRAY_JOB_ID: '7', SLURM_ARRAY_TASK_ID: '2' };
    const input = textOf(slurm({ ...served, shared }), 'workers.sbatch');
    expect(spawnSync('bash', [], { input, env: array, encoding: 'utf8' }).stderr).toBe('');
    expect(readFileSync(log, 'utf8')).toMatch(
      /^redis:\/\/:[0-9a-f]{32}@node1:6379 http:\/\/node2:8000,\S+ worker --all-runs .* --name slurm-7-2\n$/,
    );
  });
});

const container = z.looseObject({
  name: z.string(),
  image: z.string(),
  args: z.array(z.string()),
  env: z
    .array(
      z.union([z.strictObject({ name: z.string(), value: z.string() }), z.looseObject({ valueFrom: z.object({}) })]),
    )
    .optional(),
});
const pod = z.looseObject({ restartPolicy: z.literal('Never').optional(), containers: z.array(container).length(1) });
const named = { metadata: z.looseObject({ name: z.string().regex(/^[a-z][a-z0-9-]{0,62}$/) }) };
const document = z.discriminatedUnion('kind', [
  z.object({
    ...named,
    apiVersion: z.literal('apps/v1'),
    kind: z.literal('StatefulSet'),
    spec: z.looseObject({ serviceName: z.string(), template: z.looseObject({ spec: pod }) }),
  }),
  z.object({
    ...named,
    apiVersion: z.literal('apps/v1'),
    kind: z.literal('Deployment'),
    spec: z.looseObject({ replicas: z.number().int(), template: z.looseObject({ spec: pod }) }),
  }),
  z.object({
    ...named,
    apiVersion: z.literal('v1'),
    kind: z.literal('Service'),
    spec: z.looseObject({ ports: z.array(z.object({ port: z.number().int() })) }),
  }),
  z.object({
    ...named,
    apiVersion: z.literal('jobset.x-k8s.io/v1alpha2'),
    kind: z.literal('JobSet'),
    spec: z.looseObject({
      replicatedJobs: z
        .array(
          z.looseObject({
            name: z.string(),
            template: z.object({ spec: z.looseObject({ template: z.object({ spec: pod }) }) }),
          }),
        )
        .length(2),
    }),
  }),
]);

describe('Kubernetes', () => {
  it.each([optionsOf(), { ...served, queueName: 'team' }])('gives documents of the right shape', (options) => {
    const documents = parseAllDocuments(textOf(kubernetes(options), 'run.yaml')).map((each) => {
      expect(each.errors).toEqual([]);
      return document.parse(each.toJS());
    });
    const kinds = documents.map(({ kind }) => kind);
    const extra = options.samplers > 0 ? ['Deployment', 'Service'] : [];
    expect(kinds).toEqual(['StatefulSet', 'Service', ...extra, 'JobSet']);
  });

  it('keeps secrets by reference, and gives every variable that another one names before it', () => {
    const text = textOf(kubernetes(served), 'run.yaml');
    expect(text).not.toMatch(/password: |requirepass [0-9a-f]/);
    const { spec } = parseAllDocuments(text).at(-1)!.toJS() as { spec: { replicatedJobs: never[] } };
    for (const { template } of spec.replicatedJobs as {
      template: { spec: { template: { spec: z.output<typeof pod> } } };
    }[]) {
      const names = template.spec.template.spec.containers[0]!.env!.map(({ name }) => name as string);
      expect(names.indexOf('REDIS_PASSWORD')).toBeLessThan(names.indexOf('VLGYM_QUEUE'));
    }
  });
});

it('Compose gives services that wait for the broker, with keys from the shell', () => {
  const { services, volumes } = parse(textOf(compose(served), 'compose.yaml'));
  expect(Object.keys(services)).toEqual(['broker', 'sampler', 'learner', 'worker']);
  for (const role of ['learner', 'worker']) {
    expect(services[role]).toMatchObject({
      init: true,
      read_only: true,
      depends_on: { broker: { condition: 'service_healthy' } },
    });
    expect(services[role].environment.VLGYM_QUEUE).toMatch(/^redis:\/\/:\$\{VLGYM_REDIS_PASSWORD:\?.*\}@broker:6379$/);
  }
  expect(services.learner.command.slice(0, 2)).toEqual(['bench', 'vlgym/Points24-v1']);
  expect(Object.keys(volumes)).toEqual(['redis', 'shared']);
  const [[...command] = []] = compose(served).commands;
  expect(command.slice(0, 2)).toEqual(['docker', 'compose']);
  expect(command.at(-1)).toBe('worker=4');
});

it('SkyPilot gives spot workers that get their secrets from the command line', () => {
  const task = parse(textOf(skypilot(served), 'workers.yaml'));
  expect(task).toMatchObject({ num_nodes: 4, resources: { use_spot: true }, secrets: { VLGYM_QUEUE: null } });
  expect(spawnSync('bash', ['-n'], { input: task.run, encoding: 'utf8' }).status).toBe(0);
});

it.each(['worker', 'learner'])('the %s image runs without root, and gives signals to node itself', (role) => {
  const path = join(import.meta.dirname, `../../../../containers/${role}.Containerfile`);
  const joined = readFileSync(path, 'utf8').replaceAll('\\\n', ' ');
  const lines = joined.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const known = [
    'FROM',
    'ARG',
    'LABEL',
    'ENV',
    'WORKDIR',
    'COPY',
    'RUN',
    'USER',
    'EXPOSE',
    'HEALTHCHECK',
    'ENTRYPOINT',
    'CMD',
  ];
  for (const line of lines) expect(known).toContain(line.split(' ')[0]);
  expect(lines).toContain('USER 10001:10001');
  const entry = lines.find((line) => line.startsWith('ENTRYPOINT'))!;
  expect(JSON.parse(entry.slice('ENTRYPOINT '.length))).toEqual(['node', 'apps/cli/bin/vlgym.js']);
});
