/**
 * `fuzz.ts <group> <case> <seed> <seconds> <file>`: fuzzes one target of the group, or each without an open finding for so
 * long where the case is `all`; findings and counts come as JSON, a line for each target.
 * `fuzz.ts <group> --input <text>` runs one input.
 *
 * The input that is tried stands in the file, so that whoever waits for this process can name the one that hung or killed it.
 */
import { openSync, writeSync } from 'node:fs';
import { GymError } from '@vlgym/core';
import fc from 'fast-check';
import { decodeInput, encodeInput } from '../support/fuzz-input.js';
import { BrokenLaw, type FuzzTarget } from '../support/fuzz-target.js';
import { type TargetGroup, targetsOf } from '../targets/index.js';

/** Seconds of processor time and bytes that one input may take. */
const SLOW = 1;
const LARGE = 200e6;

class Symptom extends Error {
  constructor(
    readonly title: string,
    readonly detail: string,
  ) {
    super(title);
  }
}

/** Throws a symptom where the target does anything but return, or refuse with a typed error. */
async function attempt({ call, allowed = [] }: FuzzTarget, input: unknown): Promise<void> {
  const start = process.cpuUsage();
  const before = process.memoryUsage();
  try {
    await call(input);
  } catch (error) {
    const { name } = error as Error;
    if (!GymError.isInstance(error) && !allowed.includes(name)) throw symptomOf(error);
  }
  const { user, system } = process.cpuUsage(start);
  const after = process.memoryUsage();
  const seconds = (user + system) / 1e6;
  const grown = after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed;
  if (seconds > SLOW) throw new Symptom('takes more than a second', `${seconds.toFixed(1)} s of processor time`);
  if (grown > LARGE) throw new Symptom('takes more than 200 MB', `${(grown / 1e6).toFixed(0)} MB`);
}

function symptomOf(error: unknown): Symptom {
  if (error instanceof BrokenLaw) return new Symptom(error.message, String(error.cause ?? ''));
  if (!(error instanceof Error)) return new Symptom(`throws ${typeof error}`, String(error));
  const frame = error.stack
    ?.split('\n')
    .find((line) => /(packages|apps)\//.test(line) && !line.includes('node_modules'));
  const place = /((?:packages|apps)\/[^\s:)]+:\d+)/.exec(frame ?? '')?.[1] ?? 'an unknown place';
  return new Symptom(`throws a raw ${error.name} at ${place}`, error.stack ?? error.message);
}

async function fuzz(target: FuzzTarget, seed: number, seconds: number, file: string): Promise<void> {
  process.stderr.write(`target ${target.name}\n`);
  const current = openSync(file, 'w');
  const known = new Set<string>();
  const findings: { title: string; detail: string; input: string }[] = [];
  let inputs = 0;
  const deadline = performance.now() + seconds * 1000;
  for (let round = 0; performance.now() < deadline; round += 1) {
    const property = fc.asyncProperty(target.input, async (input) => {
      const text = JSON.stringify(input) ?? 'null';
      writeSync(current, `${text}\n`, 0);
      inputs += 1;
      try {
        await attempt(target, input);
      } catch (error) {
        if (!(error instanceof Symptom) || !known.has(error.title)) throw error;
      }
    });
    const result = await fc.check(property, {
      seed: seed + round,
      numRuns: 100_000,
      interruptAfterTimeLimit: Math.max(100, deadline - performance.now()),
      markInterruptAsFailure: false,
    });
    if (!result.failed || result.counterexample === null) continue;
    const symptom = result.errorInstance instanceof Symptom ? result.errorInstance : symptomOf(result.errorInstance);
    if (known.has(symptom.title)) break; // shrinking came to an end elsewhere
    known.add(symptom.title);
    const input = encodeInput(target.name, result.counterexample[0]);
    findings.push({ title: `${target.name} ${symptom.title}`, detail: symptom.detail, input });
  }
  process.stdout.write(`${JSON.stringify({ target: target.name, inputs, findings })}\n`);
}

async function once(targets: readonly FuzzTarget[], text: string): Promise<void> {
  const { target: name, input } = decodeInput(text);
  const target = targets.find((each) => each.name === name);
  if (!target) throw new Error(`Unknown target: ${name}.`);
  const findings: { title: string; detail: string; input: string }[] = [];
  await attempt(target, input).catch((error: unknown) => {
    const { title, detail } = error instanceof Symptom ? error : symptomOf(error);
    findings.push({ title: `${name} ${title}`, detail, input: text });
  });
  process.stdout.write(`${JSON.stringify({ target: name, inputs: 1, findings })}\n`);
}

const [group, index, seed, seconds, file] = process.argv.slice(2) as [TargetGroup, string, string, string, string];
const targets = await targetsOf(group);
if (index === '--input') await once(targets, seed);
else {
  const chosen =
    index === 'all' ? targets.filter(({ open }) => open === undefined) : [targets[Number(index) % targets.length]!];
  for (const target of chosen) await fuzz(target, Number(seed), Number(seconds), file);
}
process.exit(0);
