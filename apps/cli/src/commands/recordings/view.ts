import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnyEnv, answerConstraint, constraintKind } from '@vlgym/core';
import type { VlmPolicy } from '@vlgym/models';
import type { EvaluationSettings } from '@vlgym/rl';
import type { AgentRequest, TokenPlace, TokenQuestion } from '@vlgym/viewer';
import { z } from 'zod';
import { type CommandContext, defineCommand } from '../../command-line/command.js';
import { needs } from '../../command-line/needs.js';
import { importEnvironments, importOption } from '../../environments.js';
import { checkFolder } from '../../folders/check-folder.js';
import { checkOutputFile } from '../../folders/output-path.js';
import { openBrowser } from '../../play/open-browser.js';
import { pageOptions } from '../../play/page-options.js';
import { isArchive } from '../../runs/is-archive.js';

/** Agents that the page offers to continue an episode with. */
const AGENTS = ['oracle', 'random', 'policy'] as const;
/** Longest answer about a step. */
const TALK_TOKENS = 256;

const onPage = needs({ export: false }, 'an exported page needs no server and plays nothing');
const inFile = needs({ export: true });

const schema = z.object({
  folders: z
    .array(z.string())
    .default(['runs'])
    .describe('runs, recordings, suites, benchmarks, folders of them, or an archive of `vlgym runs`; default runs'),
  ...importOption,
  envOptions: z
    .record(z.string(), z.unknown())
    .optional()
    .meta(onPage)
    .describe('your options of environments that are played again, e.g. a folder of data'),
  agents: z
    .array(z.string())
    .default([])
    .meta(onPage)
    .describe('more agents for branches, the arena and questions: ./FILE, or PROVIDER/MODEL of a gateway'),
  export: z.string().optional().describe('write one HTML file in place of a server; it needs nothing else'),
  episodes: z
    .number()
    .int()
    .positive()
    .default(50)
    .meta(inFile)
    .describe('with --export: at most this many episodes, failed ones first'),
  megabytes: z.number().positive().default(20).meta(inFile).describe('with --export: at most this much in pictures'),
  port: pageOptions.port.meta(onPage),
  open: pageOptions.open.meta(onPage),
});

export const view = defineCommand({
  name: 'view',
  summary: 'see runs and episodes on a page: curves, steps, tokens; live or later',
  description:
    'Opens a page over folders of `train`, `bench`, `eval`, `suite`, `quickstart` and `play --record`, or over folders that hold many. One cursor over all updates: from a bend in a curve to the episodes of that update, to the picture, the thought and the token. Runs are followed live; a run that was killed opens like one that has ended. Episodes are played again and compared at a click, and continued from any step with another answer or picture; two agents play one seed side by side. Branches and pairs are recorded next to their run. Nothing else is written, and nothing leaves this machine.',
  positional: 'folders',
  options: schema,
  examples: [
    { command: 'vlgym view', does: 'everything below runs' },
    { command: 'vlgym view runs/vl-dac-0', does: 'one run, while it trains or after' },
    { command: 'vlgym view runs/vl-dac-0 --export run.html', does: 'one file for a colleague' },
  ],
  async run(options, context) {
    const { paths, close } = await unpacked(options.folders);
    try {
      return await look({ ...options, folders: paths }, context);
    } finally {
      await close();
    }
  },
});

async function look(
  {
    folders,
    import: modules,
    envOptions,
    agents = [],
    export: file,
    episodes,
    megabytes,
    port,
    open,
  }: z.output<typeof schema>,
  context: CommandContext,
): Promise<number> {
  const { stdout, signal } = context;
  for (const folder of folders) await checkFolder(folder);
  await importEnvironments(modules);
  if (file !== undefined) {
    const { exportPage } = await import('@vlgym/viewer');
    await checkOutputFile('--export', file);
    const { bytes, kept, leftOut } = await exportPage({ folders, file, episodes, pictureBytes: megabytes * 1e6 });
    const rest = leftOut > 0 ? `, ${leftOut} left out` : '';
    stdout.write(`${file}: ${kept} episodes${rest}, ${(bytes / 1e6).toFixed(1)} MB\n`);
    return 0;
  }
  const viewer = await import('@vlgym/viewer');
  const viewing = await viewer.view({ folders, port, envOptions, agents: [...AGENTS, ...agents], openAgent });
  try {
    stdout.write(`${viewing.address}\nCtrl-C ends.\n`);
    if (open) openBrowser(viewing.address);
    if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  } finally {
    await viewing.close();
  }
  return 0;
}

/** Archives of `vlgym runs archive` in folders that are deleted at the end. */
async function unpacked(given: readonly string[]) {
  const drafts: string[] = [];
  const paths: string[] = [];
  const close = async () => {
    for (const draft of drafts) await rm(draft, { recursive: true, force: true });
  };
  try {
    for (const path of given) {
      if (!isArchive(path)) {
        paths.push(path);
        continue;
      }
      const { openArchive } = await import('../../runs/archive.js');
      const draft = await mkdtemp(join(tmpdir(), 'vlgym-archive-'));
      drafts.push(draft);
      await openArchive(path, draft);
      paths.push(draft);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { paths, close };
}

/** An agent for a branch, a pair or a question; `policy` has the newest weights of the run, `checkpoint-N` those of an update. */
async function openAgent({ name, folder, env, purpose }: AgentRequest) {
  const { API_KEY, BASE_URL, openAgent } = await import('../../agents.js');
  const [, update] = /^checkpoint-(\d+)$/.exec(name) ?? [];
  const isPolicy = name === 'policy' || update !== undefined;
  const policy = {
    weights: update === undefined ? folder : `${folder}@${update}`,
    ...(purpose === 'talk' && { constrain: 'none' as const, maxNewTokens: TALK_TOKENS }),
  };
  const agent = isPolicy ? 'policy' : name;
  const opened = await openAgent({ agent, env, baseUrl: BASE_URL, apiKeyEnv: API_KEY, ...(isPolicy && policy) });
  return { ...opened, ...(opened.policy && { alternatives: alternativesOf(opened.policy, opened.judged) }) };
}

/** As the run was sampled: under the constraint on its answers, if there is one. */
const alternativesOf =
  (policy: VlmPolicy, judged: EvaluationSettings | undefined) =>
  async ({ context, tokenIds, temperature, count }: TokenQuestion): Promise<readonly TokenPlace[]> => {
    const kind = judged && constraintKind(judged.constrain);
    const constraint = kind && answerConstraint(kind, context.env as AnyEnv, context, judged.maxNewTokens);
    const input = { ...policy.encode(context.messages ?? []), ...(constraint && { constraint }) };
    return policy.alternatives({ input, responseIds: tokenIds }, { count, temperature });
  };
