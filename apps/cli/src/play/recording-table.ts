/** Recorded episodes on the page: every scene comes from the recording, so no environment and no data set is needed. */
import { type Image, registeredIds } from '@vlgym/core';
import { type ContentHash, readTrajectories, type Trajectory, type TrajectoryReader } from '@vlgym/core/trajectory';
import { titleOfEnv } from '../environments.js';
import type { PlayView } from './page-scene.js';
import type { Hint, Shown, Table } from './table.js';

/** Steps shown in the log before the present one. */
const SHOWN_TURNS = 200;

interface Recorded {
  readonly trajectory: Trajectory;
  readonly reader: TrajectoryReader;
}

export class RecordingTable implements Table {
  readonly #episodes: readonly Recorded[];
  #episode = 0;
  /** Steps of the episode that were taken before the scene. */
  #position = 0;
  #turn = 1;

  private constructor(episodes: readonly Recorded[], first: number) {
    this.#episodes = episodes;
    this.#episode = Math.min(first, episodes.length - 1);
  }

  /** @returns nothing if the recordings have no episode. */
  static async open(paths: readonly string[], first = 0): Promise<RecordingTable | undefined> {
    const episodes: Recorded[] = [];
    for (const path of paths) {
      const reader = readTrajectories(path);
      for await (const trajectory of reader) episodes.push({ trajectory, reader });
    }
    return episodes.length === 0 ? undefined : new RecordingTable(episodes, first);
  }

  get length(): number {
    return this.#episodes.length;
  }

  async current(): Promise<Shown> {
    return this.#scene();
  }

  async move(turn: number, text: string): Promise<Shown> {
    if (turn === this.#turn) {
      const last = this.#now.steps.length;
      const to = text === 'back' ? this.#position - 1 : this.#position + 1;
      this.#position = Math.min(Math.max(to, 0), last);
      this.#turn += 1;
    }
    return this.#scene();
  }

  async restart(episode: number): Promise<Shown> {
    this.#episode = episode % this.#episodes.length;
    this.#position = 0;
    this.#turn += 1;
    return this.#scene();
  }

  /** A recording cannot be changed. */
  async undo(): Promise<Shown> {
    return this.#scene();
  }

  hint(): Hint {
    return { hint: '', reason: 'A recording has no expert.' };
  }

  get #now(): Trajectory {
    return this.#episodes[this.#episode]!.trajectory;
  }

  async #scene(): Promise<Shown> {
    const { steps, outcome, env, agent } = this.#now;
    const done = steps.slice(0, this.#position);
    const last = done.at(-1);
    const isOver = this.#position === steps.length;
    const pictures = await this.#pictures();
    const value = this.#observation?.value;
    const thought = steps[this.#position]?.prompt;
    const view: PlayView = {
      env: env?.id ?? 'an environment without a name',
      title: env ? titleOfRecorded(env.id) : 'An environment without a name',
      seed: this.#episode,
      step: done.length,
      limit: steps.length,
      ...(last && { reward: last.reward }),
      return: done.reduce((sum, { reward }) => sum + reward, 0),
      parts: Object.entries(last?.rewardParts ?? {}).map(([name, part]) => [name, String(part)] as const),
      ...(typeof value === 'string' && { text: value }),
      captions: pictures.map(() => ''),
      actions: [],
      free: false,
      past: done.slice(-SHOWN_TURNS).map((step) => ({
        action: step.actionText ?? (step.action === undefined ? '(none)' : JSON.stringify(step.action)),
        reward: step.reward,
        ...((step.thought || step.response) && { thought: step.thought || step.response || '' }),
      })),
      ...(thought && { prompt: thought.map(({ content }) => plain(content)).join('\n\n') }),
      info: JSON.stringify(last?.info ?? this.#now.info ?? {}, null, 2),
      ...(isOver && {
        verdict: `${isSolved(outcome) ? 'Solved.' : 'Not solved.'} Return ${outcome.return} in ${steps.length} steps.`,
        outcome: isSolved(outcome) ? 'won' : 'lost',
      }),
      watching: {
        who: agent?.name ?? 'recording',
        back: true,
        episodes: this.#episodes.map(({ trajectory: { id, outcome: end } }) => `${id} ${end.success ? '✓' : '✗'}`),
      },
    };
    return { turn: this.#turn, view, pictures };
  }

  /** Before the next step; after the last one, what it led to. */
  get #observation() {
    const { observation, steps } = this.#now;
    return this.#position === 0 ? observation : steps[this.#position - 1]?.observation;
  }

  async #pictures(): Promise<Image[]> {
    const hashes: readonly ContentHash[] = this.#observation?.images ?? [];
    const { reader } = this.#episodes[this.#episode]!;
    return Promise.all(hashes.map((hash) => reader.loadImage(hash)));
  }
}

const isSolved = (outcome: Trajectory['outcome']) => outcome.success ?? outcome.return > 0;

/** The environment of a recording need not be known here. */
function titleOfRecorded(id: string): string {
  return registeredIds().includes(id) ? titleOfEnv(id) : id;
}

const plain = (content: string | readonly { readonly type: string; readonly text?: string }[]): string =>
  typeof content === 'string' ? content : content.map((part) => part.text ?? '[the picture]').join('\n');
