import type { Entry } from '../command-line/command-entry.js';

const entry = (name: string, summary: string, load: () => Promise<unknown>): Entry => ({
  name,
  summary,
  // the schema of each command types its own options; outside of its file they are data
  load: load as Entry['load'],
});

// biome-ignore format: one line per command
export const entries: readonly Entry[] = [
  entry('quickstart', 'train three algorithms to walk from pixels and show a report', async () => (await import('./quickstart.js')).quickstart),
  entry('train', 'train one policy with one algorithm', async () => (await import('./train.js')).train),
  entry('sft', 'train on recorded episodes and chat datasets', async () => (await import('./sft.js')).sft),
  entry('eval', 'measure an agent: success rate with interval, return, legality', async () => (await import('./eval.js')).evalCommand),
  entry('suite', 'agents × environments × seeds → one report with paired tests', async () => (await import('./suite.js')).suiteCommand),
  entry('compare', 'two results of agents, paired by task', async () => (await import('./compare.js')).compare),
  entry('transfer', 'question benchmarks before and after training, scored as published', async () => (await import('./transfer/transfer.js')).transfer),
  entry('bench', 'algorithms × environments × seeds → one report with paired comparison', async () => (await import('./bench.js')).bench),
  entry('sweep', 'one algorithm over many hyperparameters: grid, random, successive halving', async () => (await import('./sweep.js')).sweepCommand),
  entry('claims', 'which claims of a design hold, from the cells of its runs', async () => (await import('./claims.js')).claims),
  entry('models', 'look into model folders, import GGUF files, compose models', async () => (await import('./models.js')).models),
  entry('status', 'how far a run or a benchmark is, from another terminal', async () => (await import('./status.js')).status),
  entry('play', 'play an environment yourself, or watch an agent play', async () => (await import('./environments/play.js')).play),
  entry('watch', 'watch recorded episodes on a page, step by step', async () => (await import('./recordings/watch.js')).watch),
  entry('view', 'see runs and episodes on a page: curves, steps, tokens; live or later', async () => (await import('./recordings/view.js')).view),
  entry('runs', 'list runs and recordings: state, algorithm, environment, success, age; prune and archive them', async () => (await import('./recordings/runs.js')).runs),
  entry('replay', 'play recorded episodes again and verify every step', async () => (await import('./recordings/replay.js')).replayCommand),
  entry('import', 'logs of Inspect and traces of verifiers as a recording for `vlgym view`', async () => (await import('./recordings/import.js')).importCommand),
  entry('export', 'recorded episodes, metrics and weights for other programs', async () => (await import('./recordings/export.js')).exportCommand),
  entry('verify', 'play fresh random episodes alongside the original and compare every step', async () => (await import('./environments/verify.js')).verify),
  entry('rollout', 'play episodes, here or on the workers of a cluster', async () => (await import('./rollout.js')).rollout),
  entry('worker', 'play episodes for a run on another machine', async () => (await import('./worker.js')).worker),
  entry('launch', 'start learner, broker, samplers and workers with Slurm, Kubernetes, SkyPilot or Compose', async () => (await import('./launch.js')).launch),
  entry('audit', 'look for reward hacks, answers in the prompt and unsolved seeds of an environment', async () => (await import('./environments/audit.js')).audit),
  entry('envs', 'list environments; with a name, what one declares', async () => (await import('./environments/envs.js')).envs),
  entry('agents', 'list agents, and how to bring your own', async () => (await import('./agents.js')).agents),
  entry('algorithms', 'list algorithms; with a name, its hyperparameters', async () => (await import('./algorithms.js')).algorithms),
  entry('new', 'start your own environment, agent or algorithm', async () => (await import('./environments/new.js')).newCommand),
  entry('serve', 'serve environments to OpenEnv clients, or to the Python package', async () => (await import('./environments/serve.js')).serveCommand),
  entry('mcp', 'serve environments to MCP hosts: editors, assistants, agents', async () => (await import('./environments/mcp.js')).mcp),
  entry('setup', 'find or fetch libtorch and compile the addon', async () => (await import('./installation/setup.js')).setupCommand),
  entry('doctor', 'what is installed, what is missing, what to type', async () => (await import('./installation/doctor.js')).doctor),
  entry('completion', 'shell completion for bash, zsh and fish', async () => (await import('./installation/completion.js')).completion),
  entry('alfworld', 'games of ALFWorld: download, import, list, setup-python', async () => (await import('./environments/alfworld.js')).alfworld),
  entry('miniwob', 'pages and tasks of MiniWoB++: setup, list', async () => (await import('./environments/miniwob.js')).miniwob),
  entry('webshop', 'products of WebShop: import', async () => (await import('./environments/webshop.js')).webshop),
];
