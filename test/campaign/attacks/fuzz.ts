/** Fuzzing in a process of its own: what throws anything but a typed error, hangs, swells or dies is a finding. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Attack, Finding } from '../attack.js';
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

function fuzzAttack(group: TargetGroup, about: string, targets: number, weight: number): Attack {
  const name = `fuzz-${group}`;
  const fuzz = (args: readonly string[]) =>
    runScript(SCRIPT, {
      args: [group, ...args],
      preload: [TSX],
      nodeArgs: ['--max-old-space-size=700', '--stack-size=900'],
      timeout: (SECONDS + PATIENCE) * 1000,
    });
  return {
    name,
    about,
    weight,
    least: targets,
    async run({ index, seed, folder }) {
      const file = join(folder, 'input.json');
      const result = await fuzz([String(index), String(seed % 2 ** 31), String(SECONDS), file]);
      const output = outputOf(result);
      if (output) return { counts: { inputs: output.inputs }, findings: output.findings };
      return { counts: { inputs: 0 }, findings: [await death(result, file)] };
    },
    async repeat(input) {
      const result = await fuzz(['--input', input]);
      return outputOf(result)?.findings ?? [{ title: lastWords(result), detail: result.stderr.slice(-2000), input }];
    },
  };
}

function outputOf({ code, stdout }: ChildResult): FuzzOutput | undefined {
  if (code !== 0) return undefined;
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as FuzzOutput;
}

const lastWords = ({ signal, code, timedOut }: ChildResult): string =>
  timedOut ? 'does not return' : `ends the process: ${signal ?? `exit code ${code}`}`;

/** The input that stood in the file when the process ended. */
async function death(result: ChildResult, file: string): Promise<Finding> {
  const [line] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const detail = result.stderr.slice(-2000);
  const target = /^target (.*)$/m.exec(result.stderr)?.[1] ?? 'a target';
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
