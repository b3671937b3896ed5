/** Fuzzing in a process of its own: what throws anything but a typed error, hangs, swells or dies is a finding. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Attack, CaseResult, Finding } from '../attack.js';
import { type ChildResult, runScript } from '../support/child.js';
import { encodeInput } from '../support/fuzz-input.js';
import type { TargetGroup } from '../targets/index.js';

const SCRIPT = fileURLToPath(new URL('../children/fuzz.ts', import.meta.url));
const TSX = createRequire(import.meta.url).resolve('tsx');

/** Seconds of fuzzing per case, and those after which a process is taken to hang: loading, shrinking, a busy machine. */
const SECONDS = 10;
const PATIENCE = 60;

interface FuzzOutput {
  readonly target: string;
  readonly inputs: number;
  readonly findings: readonly Finding[];
}

function fuzz(group: TargetGroup, args: readonly string[], seconds: number): Promise<ChildResult> {
  return runScript(SCRIPT, {
    args: [group, ...args],
    preload: [TSX],
    nodeArgs: ['--max-old-space-size=700', '--stack-size=900'],
    timeout: (seconds + PATIENCE) * 1000,
  });
}

/** Every target of a group in one process, for `seconds` each. */
export async function fuzzAll(group: TargetGroup, seed: number, seconds: number, folder: string): Promise<CaseResult> {
  const file = join(folder, 'input.json');
  const result = await fuzz(group, ['all', String(seed), String(seconds), file], 60);
  const outputs = outputsOf(result);
  const findings = outputs.flatMap((output) => output.findings);
  if (result.code !== 0) findings.push(await death(result, file));
  return { counts: { inputs: outputs.reduce((sum, { inputs }) => sum + inputs, 0) }, findings };
}

function fuzzAttack(group: TargetGroup, about: string, targets: number, weight: number): Attack {
  return {
    name: `fuzz-${group}`,
    about,
    weight,
    least: targets,
    async run({ index, seed, folder }) {
      const file = join(folder, 'input.json');
      const result = await fuzz(group, [index, seed % 2 ** 31, SECONDS, file].map(String), SECONDS);
      const [output] = outputsOf(result);
      if (output) return { counts: { inputs: output.inputs }, findings: output.findings };
      return { counts: { inputs: 0 }, findings: [await death(result, file)] };
    },
    async repeat(input) {
      const result = await fuzz(group, ['--input', input], SECONDS);
      return (
        outputsOf(result)[0]?.findings ?? [{ title: lastWords(result), detail: result.stderr.slice(-2000), input }]
      );
    },
  };
}

function outputsOf({ stdout }: ChildResult): FuzzOutput[] {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{"target"'));
  return lines.map((line) => JSON.parse(line) as FuzzOutput);
}

const lastWords = ({ signal, code, timedOut }: ChildResult): string =>
  timedOut ? 'does not return' : `ends the process: ${signal ?? `exit code ${code}`}`;

/** The input that stood in the file when the process ended. */
async function death(result: ChildResult, file: string): Promise<Finding> {
  const [line] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const detail = result.stderr.slice(-2000);
  const target = [...result.stderr.matchAll(/^target (.*)$/gm)].at(-1)?.[1] ?? 'a target';
  const title = `${target} ${lastWords(result)}`;
  try {
    return { title, detail, input: encodeInput(target, JSON.parse(line!) as unknown) };
  } catch {
    return { title, detail };
  }
}

export const fuzzAttacks: readonly Attack[] = [
  fuzzAttack('parsers', 'answers, queries, games, products, archives, pictures, headers', 18, 4),
  fuzzAttack('spaces', 'spaces from data, their samples, values and schemas', 3, 1),
  fuzzAttack('snapshots', 'tampered snapshots of every environment, then a good one', 15, 2),
];
