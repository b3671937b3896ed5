/**
 * `vlgym verify`: fresh random episodes in an environment of ours and in the original, step by step.
 *
 * Each environment package registers its own verifier, so a new one is not named here. The original runs in its own Python;
 * where it is not installed the comparison is skipped and says how to install it.
 */
import { closest, registeredVerifiers } from '@vlgym/core';
import type { Agreement, VerificationReport, Verifier } from '@vlgym/core/registry';
import { z } from 'zod';
import { defineCommand, UsageError } from '../../command-line/command.js';
import { needs } from '../../command-line/needs.js';
import { importEnvironments, importOption } from '../../environments.js';
import { bold, percent, table, wrapText } from '../../terminal/style.js';

const ALL = 'all';

export const verify = defineCommand({
  name: 'verify',
  summary: 'play fresh random episodes alongside the original and compare every step',
  description:
    'Plays the same seeds and actions in an environment of ours and in the installed original, and prints how much is equal. --setup installs the original into the cache first. Where an original is absent its comparison is skipped, and the output says what is missing. The exit code is 1 if anything differs.',
  positional: 'environment',
  options: z.object({
    environment: z.string().default(ALL).describe('what to compare: a name that this help lists, or all'),
    episodes: z.number().int().min(1).max(100_000).default(20).describe('how many episodes of each'),
    seed: z.number().int().min(0).default(0).describe('seed of the first episode'),
    setup: z.boolean().default(false).describe('install the original into the cache of this user first'),
    python: z
      .string()
      .optional()
      .meta(needs({ setup: true }))
      .describe('interpreter that --setup builds on; default: python3'),
    ...importOption,
  }),
  examples: [
    { command: 'vlgym verify cards --setup --episodes 400', does: 'installs gym-cards, then compares' },
    { command: 'vlgym verify alfworld --episodes 100', does: 'a hundred households, six kinds of tasks' },
    { command: 'vlgym verify my-env --import my-env', does: 'with the verifier of a package of yours' },
  ],
  more() {
    const rows = registeredVerifiers().map(({ name, description }) => wrapText(`${name}: ${description}`, 94));
    return [bold('Verifiers'), ...rows.map((row) => `  ${row.replaceAll('\n', '\n    ')}`), ''];
  },
  async run({ environment, episodes, seed, setup, python, import: names }, { stdout, stderr, signal }) {
    await importEnvironments(names);
    let differs = false;
    for (const verifier of chosen(environment)) {
      if (environment === ALL) stdout.write(`${verifier.name}\n`);
      const verification = await verifier.load();
      if (setup) await verification.setup({ python, signal, onProgress: (line) => stderr.write(`  ${line}\n`) });
      const missing = await verification.missing();
      if (missing !== undefined) {
        stdout.write(`skipped: not installed: ${missing}\n  hint: vlgym verify ${verifier.name} --setup\n`);
        continue;
      }
      const report = await verification.compare({ episodes, seed, signal });
      stdout.write(textOf(report));
      differs ||= report.agreements.some(isTooLow);
    }
    return differs ? 1 : 0;
  },
});

function chosen(name: string): readonly Verifier[] {
  const all = registeredVerifiers();
  if (name === ALL) return all;
  const verifier = all.find((candidate) => candidate.name === name);
  if (verifier) return [verifier];
  const names = all.map((candidate) => candidate.name);
  const near = closest(name, names);
  throw new UsageError(`Unknown verification "${name}".`, {
    expected: [...names, ALL].join(', '),
    ...(near === undefined ? {} : { hint: `did you mean "${near}"?` }),
  });
}

/** A comparison of nothing agrees with nothing. */
const isTooLow = ({ agreed, compared, needed = 1 }: Agreement): boolean => compared === 0 || agreed < needed * compared;

function textOf({ agreements, notes = [] }: VerificationReport): string {
  const rows = agreements.map((agreement) => {
    const { what, agreed, compared, needed = 1 } = agreement;
    const share = compared === 0 ? '-' : percent(agreed / compared, 2);
    return [
      what,
      String(agreed),
      String(compared),
      share,
      isTooLow(agreement) ? 'differs' : needed < 1 ? 'close' : 'equal',
    ];
  });
  const differences = agreements.flatMap((agreement) =>
    isTooLow(agreement) && agreement.first !== undefined
      ? [`first difference in ${agreement.what}: ${agreement.first}`]
      : [],
  );
  const head = ['compared', 'equal', 'of', 'share', 'verdict'];
  return [table([head, ...rows]), ...differences, ...notes.map((note) => `note: ${note}`), ''].join('\n');
}
