/**
 * `npm run campaign -- --minutes N --seed S [--only NAME[,NAME]] [--out FOLDER]`: attacks the whole system for a while and
 * writes a report. The same command again goes on where it stopped. `--case I` and `--input TEXT` repeat one finding.
 */
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { GymError } from '@vlgym/core';
import { ROOT } from '../support/workspaces.js';
import type { Attack, Finding } from './attack.js';
import { attacks as all } from './attacks/index.js';
import { runCampaign, runCase } from './campaign.js';
import { groupFindings, markdownReport } from './report.js';
import { openState, saveState } from './state.js';

const say = (line: string) => process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      out: { type: 'string', default: join(ROOT, 'runs/campaign') },
      case: { type: 'string' },
      input: { type: 'string' },
    },
  });
  const seed = integer('seed', values.seed);
  const attacks = chosen(values.only);
  if (values.case !== undefined || values.input !== undefined) {
    return repeat(attacks, seed, values.input ?? integer('case', values.case!));
  }

  const folder = resolve(values.out);
  const state = await openState(folder, seed, commit());
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const started = performance.now();
  await runCampaign({
    attacks,
    state,
    minutes: positive('minutes', values.minutes),
    signal: stop.signal,
    onCase: async ({ name }, index, { counts, findings }) => {
      await saveState(folder, state);
      const minutes = ((performance.now() - started) / 60_000).toFixed(1);
      const done = Object.entries(counts).map(([unit, count]) => `${count} ${unit}`);
      say(`${minutes} min  ${name} ${index}: ${done.join(', ')}${findings.length ? ` FOUND ${findings.length}` : ''}`);
      for (const finding of findings) say(`    ${finding.title}`);
    },
  });
  await saveState(folder, state);
  const machine = `Node ${process.version}, ${availableParallelism()} cores, ${process.platform}.`;
  await writeFile(join(folder, 'report.md'), markdownReport(state, all, machine));
  const found = groupFindings(state.findings).length;
  say(`${found} ${found === 1 ? 'finding' : 'findings'}; report: ${join(folder, 'report.md')}`);
  return found > 0 ? 1 : 0;
}

/** Shows one finding again. */
async function repeat(attacks: readonly Attack[], seed: number, what: string | number): Promise<number> {
  const [attack] = attacks;
  if (attacks.length !== 1 || !attack) throw wrong('only', attacks.length, 'the name of one attack');
  let findings: readonly Finding[];
  if (typeof what === 'number') {
    const result = await runCase(attack, seed, what);
    findings = result.findings;
    say(`${attack.name} ${what}: ${JSON.stringify(result.counts)}`);
  } else if (attack.repeat) findings = await attack.repeat(what);
  else throw wrong('input', what, `--case: ${attack.name} takes no input`);
  for (const { title, detail } of findings) say(`${attack.name}: ${title}\n${detail}`);
  say(findings.length === 0 ? 'not seen again' : `seen again: ${findings.length}`);
  return findings.length > 0 ? 1 : 0;
}

function chosen(only: string | undefined): readonly Attack[] {
  if (only === undefined) return all;
  return only.split(',').map((name) => {
    const attack = all.find((each) => each.name === name);
    if (!attack) throw wrong('only', name, all.map((each) => each.name).join(', '));
    return attack;
  });
}

function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '--untracked-files=no') ? '+' : '');
}

function integer(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw wrong(name, text, 'a non-negative integer');
  return value;
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw wrong(name, text, 'a number above 0');
  return value;
}

function wrong(name: string, value: unknown, expected: string): GymError {
  return new GymError(`Invalid --${name}: ${JSON.stringify(value)}.`, { code: 'INVALID_OPTION', value, expected });
}

try {
  process.exitCode = await main();
} catch (error) {
  say(GymError.isInstance(error) ? `${error.code} ${error.message}` : String((error as Error).stack));
  process.exitCode = 2;
}
