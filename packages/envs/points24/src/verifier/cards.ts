/**
 * `vlgym verify cards`: fresh episodes of the four games, the same seeds and actions in gym-cards' own Python.
 *
 * Episodes come in pairs: a seeded one, and one that continues the generator, as training does. Our games choose the
 * actions; the original replays them.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Generator } from '@vlgym/core';
import type { Verification, VerificationExtent, VerificationReport } from '@vlgym/core/registry';
import { OriginalProcess, OriginalPython, scriptBeside, Tally } from '@vlgym/core/verification';
import { z } from 'zod';
import { chooseAction, type Pairing, pairingOf } from './games.js';

const EPISODES_OF_A_SEED = 2;
/** Ends a game that would continue: the original's own limits are shorter. */
const MAX_ACTIONS = 400;

/** A folder with the package `gym_cards`, e.g. `gym-cards` of a clone of RL4VLM/RL4VLM. */
const SOURCES = 'VLGYM_CARDS_ORIGINAL';

const python: OriginalPython = new OriginalPython({
  name: 'cards',
  requirements: ['gymnasium==1.4.0', 'numpy>=1.26,<3', 'pillow>=10,<13'],
  async finish(made, setup) {
    if (process.env[SOURCES]) return;
    const script = scriptBeside(import.meta.url, 'fetch_original.py');
    const hint = `clone https://github.com/RL4VLM/RL4VLM and set ${SOURCES} to its folder gym-cards`;
    await made.run(made.executable, [script, join(made.folder, 'gym-cards')], setup, hint);
  },
  isFinished: () => existsSync(join(sources(), 'gym_cards', '__init__.py')),
});

const sources = (): string => process.env[SOURCES] || join(python.folder, 'gym-cards');

const row = z.tuple([z.number(), z.boolean(), z.boolean(), z.record(z.string(), z.unknown())]);
const played = z.array(z.tuple([z.record(z.string(), z.unknown())], row));

export const cards: Verification = {
  missing() {
    if (python.interpreter === undefined) return "the original's Python";
    const folder = sources();
    return existsSync(join(folder, 'gym_cards', '__init__.py')) ? undefined : `the package gym_cards in ${folder}`;
  },
  setup: (options) => python.setup(options),
  compare,
};

async function compare({ episodes, seed, signal }: VerificationExtent): Promise<VerificationReport> {
  const tally = new Tally(['hands and positions', 'rewards', 'ends', 'states after a step']);
  const script = scriptBeside(import.meta.url, 'original.py');
  const original = new OriginalProcess({ command: [python.interpreter!, script, sources()] });
  try {
    for (let first = 0; first < episodes && !signal?.aborted; first += EPISODES_OF_A_SEED) {
      const random = new Generator(seed + first);
      const pairing = pairingOf(first / EPISODES_OF_A_SEED, random);
      const count = Math.min(EPISODES_OF_A_SEED, episodes - first);
      const ours = Array.from({ length: count }, (_, index) =>
        play(pairing, index === 0 ? seed + first : undefined, random),
      );
      const { id, kwargs } = pairing;
      const request = { id, kwargs, seed: seed + first, episodes: ours.map(({ actions }) => actions) };
      const theirs = played.parse(await original.ask(request));
      for (const [index, episode] of ours.entries()) {
        const place = `${id} ${JSON.stringify(kwargs)}, seed ${seed + first}, episode ${index + 1}`;
        comparePlay(tally, place, episode, theirs[index]!);
      }
    }
  } finally {
    await original.close();
  }
  return { agreements: tally.agreements };
}

type Row = z.output<typeof row>;

interface Played {
  readonly dealt: Record<string, unknown>;
  readonly actions: readonly number[];
  readonly rows: readonly Row[];
}

function play({ env }: Pairing, seed: number | undefined, random: Generator): Played {
  const { taskKey: _, ...dealt } = env.reset(seed === undefined ? {} : { seed }).info as unknown as Record<
    string,
    unknown
  >;
  const [actions, rows]: [number[], Row[]] = [[], []];
  let formula: readonly unknown[] = [];
  for (let over = false; !over && actions.length < MAX_ACTIONS; ) {
    const action = chooseAction(env, formula, random);
    const { reward, terminated, truncated, info } = env.step(action);
    const state = info as unknown as Record<string, unknown>;
    formula = (state.Formula as readonly unknown[] | undefined) ?? [];
    actions.push(action);
    rows.push([reward, terminated, truncated, state]);
    over = terminated || truncated;
  }
  return { dealt, actions, rows };
}

function comparePlay(
  tally: Tally,
  place: string,
  ours: Played,
  [dealt, ...rows]: z.output<typeof played>[number],
): void {
  tally.equal('hands and positions', place, ours.dealt, dealt);
  for (const [index, [reward, terminated, truncated, state]] of ours.rows.entries()) {
    const [theirReward, theirEnd, theirCut, theirState] = rows[index] ?? [];
    const where = `${place}, actions ${ours.actions.slice(0, index + 1).join(' ')}`;
    tally.equal('rewards', where, reward, theirReward);
    tally.equal('ends', where, [terminated, truncated], [theirEnd, theirCut]);
    tally.equal('states after a step', where, state, theirState);
  }
}
