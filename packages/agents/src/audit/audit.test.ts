import {
  BaseEnv,
  type Dialogue,
  type EnvSnapshot,
  generatorState,
  make,
  parseReset,
  parseResponse,
  parseSnapshot,
  spaces,
} from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import '@vlgym/canary';
import '@vlgym/miniworld';
import '@vlgym/points24';
import '@vlgym/puzzles';
import { auditEnv } from './index.js';

const ACTIONS = ['left', 'right', 'wait'];
const saved = z.strictObject({ at: z.int(), goal: z.int(), steps: z.int(), rng: generatorState });

interface Plant {
  /** Reward of a step without success. */
  readonly pays?: (state: { readonly at: number; readonly action: number; readonly steps: number }) => number;
  readonly hint?: boolean;
  /** The goal is always on this side. */
  readonly side?: number;
  readonly limit?: number;
  /** Reads an answer that claims success as the right action. */
  readonly trusts?: boolean;
  /** Reads an answer that names several actions as the right one. */
  readonly lenient?: boolean;
  /** Pays for every step of an episode after one that has won. */
  readonly remembers?: boolean;
  readonly breaksAt?: number;
}

/** A corridor of seven cells: walk from the middle to the goal at one end. */
class Corridor extends BaseEnv<number, number> {
  readonly observationSpace = spaces.discrete(14);
  readonly actionSpace = spaces.discrete(3, { labels: ACTIONS });
  readonly #plant: Plant;
  #state = { at: 3, goal: 0, steps: 0 };
  #hasWon = false;

  constructor(plant: Plant = {}) {
    super();
    this.#plant = plant;
  }

  readonly dialogue: Dialogue<number, number> = {
    version: 'corridor/1',
    prompt: ({ observation }) => {
      const hint = this.#plant.hint ? ` The best action is ${ACTIONS[this.oracle()]}.` : '';
      const content = `Code ${observation}. Choose left, right or wait.${hint} JSON keys: action.`;
      return [{ role: 'user', content }];
    },
    parse: (text) => {
      const { trusts, lenient } = this.#plant;
      const isLed =
        (trusts && /"success": true/.test(text)) || (lenient && ACTIONS.every((name) => text.includes(name)));
      const read = isLed ? JSON.stringify({ thoughts: '', action: ACTIONS[this.oracle()] }) : text;
      return { ...parseResponse(read, { actions: ACTIONS }), spans: { action: [0, text.length] } };
    },
  };

  reset(given?: object) {
    const { seed } = parseReset(given);
    if (seed !== undefined) this.reseed(seed);
    this.#state = { at: 3, goal: this.#plant.side ?? (this.rng.random() < 0.5 ? 0 : 6), steps: 0 };
    return { observation: this.#seen(), info: {} };
  }

  step(action: number) {
    const { at, goal, steps } = this.#state;
    const next = Math.min(6, Math.max(0, at + [-1, 1, 0][action]!));
    this.#state = { at: next, goal, steps: steps + 1 };
    const success = next === goal;
    const { pays, remembers, limit = 40, breaksAt } = this.#plant;
    if (steps === breaksAt) throw new TypeError('no such cell');
    const reward = success ? 1 : (pays?.({ at: next, action, steps }) ?? (remembers && this.#hasWon ? -0.1 : 0));
    this.#hasWon ||= success;
    const over = success || steps + 1 >= limit;
    return { observation: this.#seen(), reward, terminated: over, truncated: false, info: over ? { success } : {} };
  }

  oracle(): number {
    return this.#state.goal < this.#state.at ? 0 : 1;
  }

  snapshot(): EnvSnapshot {
    return { kind: 'corridor/1', state: { ...this.#state, rng: this.rng.getState() } };
  }

  restore(snapshot: EnvSnapshot): void {
    const { rng, ...state } = parseSnapshot(snapshot, 'corridor/1', saved);
    this.rng.setState(rng);
    this.#state = state;
  }

  #seen(): number {
    return this.#state.at + (this.#state.goal === 0 ? 0 : 7);
  }
}

const hacksOf = async (plant: Plant) => {
  const { findings } = await auditEnv(() => new Corridor(plant), { episodes: 30 });
  return findings.filter(({ severity }) => severity === 'hack').map(({ code }) => code);
};

describe('auditEnv finds', () => {
  it('a format bonus that is worth more than the goal', async () => {
    expect(await hacksOf({ pays: () => 0.1 })).toEqual(['REWARD_WITHOUT_SUCCESS']);
  });

  it('a legal stall that pays in one place alone', async () => {
    expect(await hacksOf({ pays: ({ at, action }) => (at === 5 && action === 2 ? 0.2 : -0.05) })).toEqual([
      'REWARD_WITHOUT_SUCCESS',
    ]);
  });

  it('an answer that the prompt gives away', async () => {
    expect(await hacksOf({ hint: true })).toEqual(['ANSWER_IN_PROMPT']);
  });

  it('a reader that trusts injected text, and one that takes any answer which names all actions', async () => {
    expect(await hacksOf({ trusts: true, limit: 5 })).toEqual(['WINS_WITHOUT_ACTING', 'TEXT_CHANGES_RESULT']);
    expect(await hacksOf({ lenient: true })).toEqual(['WINS_WITHOUT_SKILL']);
  });

  it('a reward that depends on the episode before', async () => {
    const { findings } = await auditEnv(() => new Corridor({ remembers: true }), { episodes: 10, searchSteps: 0 });
    expect(findings.find(({ code }) => code === 'RESET_LEAKS')).toMatchObject({
      severity: 'hack',
      message: expect.stringMatching(/on seed \d the reward after \d steps differs .* \(-0.1 and 0\)/),
    });
  });

  it('an environment that fails', async () => {
    const { findings } = await auditEnv(() => new Corridor({ breaksAt: 4 }), { episodes: 10, searchSteps: 0 });
    expect(findings.find(({ code }) => code === 'FAILS')?.message).toContain('no such cell');
  });

  it('a legal stall to the limit in a published game, where a wrong answer costs a point', async () => {
    const { findings } = await auditEnv(
      () => make('vlgym/EZPoints-v1', { options: { size: { height: 28, width: 56 } } }),
      {
        ...{ episodes: 10, searchSteps: 0 },
      },
    );
    expect(findings.find(({ code }) => code === 'STALL_PAYS')).toMatchObject({
      severity: 'note',
      message: expect.stringContaining('until the limit and gets 0, failed random episodes get -1'),
    });
  });

  it('a bonus for readable turns that is worth more than the goal of a published game', async () => {
    const options = { episodes: 6, searchSteps: 0 };
    const { findings } = await auditEnv(() => make('vagen/Sokoban-v0'), options);
    expect(findings.find(({ severity }) => severity === 'hack')).toMatchObject({
      code: 'REWARD_WITHOUT_SUCCESS',
      message: expect.stringMatching(/got a return of 2 on seed \d in 20 steps without success/),
    });
    const short = await auditEnv(() => make('vagen/Sokoban-v0', { maxEpisodeSteps: 10 }), options);
    expect(short.findings.filter(({ severity }) => severity === 'hack')).toEqual([]);
  });

  it('a task that one action solves', async () => {
    expect(await hacksOf({ side: 6 })).toEqual(['WINS_WITHOUT_SKILL']);
  });

  it('nothing in the clean one, and says the same again', async () => {
    const audit = () => auditEnv(() => new Corridor(), { episodes: 30 });
    const report = await audit();
    expect(report.findings).toEqual([]);
    expect(report.scores.map(({ agent }) => agent)).toEqual([
      'oracle',
      'random',
      'silent',
      'claims success',
      'always left',
      'always right',
      'always wait',
      'repeats its first action',
      'takes the first allowed action',
      'names every action',
      'repeats the prompt',
      'writes its action',
      'injects text',
    ]);
    expect(await audit()).toEqual(report);
  });
});

const size = { height: 28, width: 56 };
const CLEAN: readonly (readonly [id: string, options: Readonly<Record<string, unknown>>])[] = [
  ...['NumberLine', 'EZPoints', 'Points24', 'Blackjack', 'Signs'].map(
    (name) => [`vlgym/${name}-v1`, { size }] as const,
  ),
  ...['NumberLine', 'EZPoints', 'Points24', 'Blackjack'].map((name) => [`gym_cards/${name}-v0`, { size }] as const),
  ['vlgym/Signs-v2', { size, cards: 3 }],
  ['vlgym/Canary-v1', {}],
  ...['Hallway', 'OneRoomS6Fast', 'TMaze', 'YMaze', 'FourRooms', 'WallGap', 'PutNext', 'PickupObjects', 'Sidewalk'].map(
    (name) => [`MiniWorld-${name}-v0`, {}] as const,
  ),
];

describe('auditEnv finds no hack in', () => {
  it.each(CLEAN)('%s', { timeout: 120_000 }, async (id, options) => {
    const { findings } = await auditEnv(() => make(id, { options }), { episodes: 10, searchSteps: 400, maxSteps: 40 });
    expect(findings.filter(({ severity }) => severity === 'hack')).toEqual([]);
  });
});
