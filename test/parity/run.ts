/**
 * `npx tsx test/parity/run.ts [--steps 200] [--seeds 3] [--only TEXT] [--connects 1000]`: plays every environment in Python
 * and in Node and compares the digests, then opens and closes a served environment from one Python program many times.
 *
 * One line per environment with the beginnings of its digests, and a total. Ends with 0 only if all are equal, none is missing,
 * and nothing has grown. Needs `npm run build`.
 */
import { parseArgs } from 'node:util';
import '@vlgym/alfworld';
import '@vlgym/miniworld';
import '@vlgym/points24';
import '@vlgym/webshop';
import { digestsOf, type SeedAndSteps } from '../support/episode-digest.js';
import { GYMNASIUM, NEED_MORE, type Player, PythonPackage } from '../support/python-package.js';
import { connects } from './connects.js';

const say = (line: string) => process.stdout.write(`${line}\n`);
const short = (digests: readonly string[]) => digests.map((digest) => digest.slice(0, 8)).join(' ');

/** Whether Python and Node agree; says so, and where not, whether they do but for the pictures. */
async function compare(
  python: PythonPackage,
  player: Player,
  episodes: readonly SeedAndSteps[],
  pictures = true,
): Promise<boolean> {
  const { id, options, variables } = player;
  const begin = performance.now();
  const answer = await python.check('digests', [[[id, options]], episodes, pictures], { variables });
  const there = (answer as Record<string, string[]>)[id]!;
  Object.assign(process.env, variables);
  const here = await digestsOf(player, episodes, pictures);
  const equal = here.filter((digest, index) => digest === there[index]).length;
  const isEqual = equal === episodes.length;
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  const what = `${id}${pictures ? '' : ' without pictures'}: ${equal} of ${episodes.length} seeds equal`;
  say(`${what}, ${short(here)}${isEqual ? '' : `, ${short(there)} in Python`}, ${seconds} s`);
  if (!isEqual && pictures) await compare(python, player, episodes, false);
  return isEqual;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      steps: { type: 'string', default: '200' },
      seeds: { type: 'string', default: '3' },
      only: { type: 'string', default: '' },
      connects: { type: 'string', default: '1000' },
    },
  });
  if (!GYMNASIUM.python) throw new Error(GYMNASIUM.reason);
  const steps = Number(values.steps);
  const episodes = Array.from({ length: Number(values.seeds) }, (_, index) => [index + 1, steps] as const);
  const python = await PythonPackage.install();
  const found = { equal: 0, different: 0, missing: 0 };
  try {
    for (const { id } of python.specs.filter((each) => each.id.includes(values.only))) {
      const missing = NEED_MORE[id];
      if (missing) say(`${id}: not played, ${missing}`);
      const isEqual = !missing && (await compare(python, python.player(id), episodes));
      found[missing ? 'missing' : isEqual ? 'equal' : 'different'] += 1;
    }
    say(`${found.equal} environments equal, ${found.different} different, ${found.missing} missing`);
    const hasGrown = Number(values.connects) > 0 && (await connects(python, Number(values.connects), say));
    return found.different + found.missing === 0 && !hasGrown ? 0 : 1;
  } finally {
    python.remove();
  }
}

process.exitCode = await main();
