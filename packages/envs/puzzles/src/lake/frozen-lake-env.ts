/** `FrozenLake-v1` and `FrozenLake8x8-v1` of Gymnasium 1.4.0 (MIT): one slide a step, on a fixed map. */
import {
  BaseEnv,
  type Dialogue,
  type EnvSnapshot,
  Generator,
  generatorState,
  option,
  parseOptions,
  parseReset,
  parseSnapshot,
  type RenderFrame,
  type RenderMode,
  type ResetOptions,
  type ResetResult,
  type RgbImage,
  type Space,
  type StepResult,
  spaces,
  taskKey,
} from '@vlgym/core';
import { z } from 'zod';
import { PLAIN_STYLES, type PlainStyle, plainDialogue } from '../dialogue/plain.js';
import { lakeEnd, lakeRefusal, lakeWords } from '../people/board-words.js';
import { lakeTiles } from '../pictures/tile-sets.js';
import { TilePainter } from '../pictures/tiles.js';
import { lakeBoard, lakeCells } from './board.js';
import { LAKE_ACTIONS, Lake, type LakeRules, nextOnWay } from './lake.js';
import { checkedMap, LAKE_MAPS, type LakeMap, type LakeMapName } from './maps.js';
import { bestActions } from './value.js';

export type LakeObservation = number | RgbImage | string;

export interface FrozenLakeOptions {
  /** The number of the player's cell (default, as published), a picture, or the board in letters. */
  readonly observation?: 'state' | 'image' | 'text' | undefined;
  /** Pixels of a cell in pictures, 1 to 128; default 16. */
  readonly tileSize?: number | undefined;
  readonly mapName?: LakeMapName | undefined;
  /** Rows of a map to use instead. */
  readonly desc?: LakeMap | undefined;
  /** Default true. */
  readonly isSlippery?: boolean | undefined;
  /** Probability of the wanted direction on slippery ice; default 1/3. */
  readonly successRate?: number | undefined;
  /** Rewards of the goal, of a hole, and of any other step; default 1, 0, 0. */
  readonly rewardSchedule?: readonly [goal: number, hole: number, frozen: number] | undefined;
  /** Default `plain-v1`. */
  readonly dialogue?: PlainStyle | undefined;
  readonly renderMode?: RenderMode | undefined;
}

export interface LakeInfo extends Record<string, unknown> {
  readonly player: readonly [row: number, column: number];
  /** Probability of what happened. */
  readonly prob: number;
  readonly taskKey?: string;
}

const reward = z.number();
const schema = z.strictObject({
  observation: option.oneOf(['state', 'image', 'text']).optional(),
  tileSize: option.integer(1, 128).optional(),
  mapName: option.oneOf(['4x4', '8x8']).optional(),
  desc: z.array(z.string()).max(100).readonly().optional(),
  isSlippery: option.boolean().optional(),
  successRate: option.number(0, 1).optional(),
  rewardSchedule: z.tuple([reward, reward, reward]).readonly().optional(),
  dialogue: option.oneOf(PLAIN_STYLES).optional(),
  renderMode: option.renderMode().optional(),
} satisfies Record<keyof FrozenLakeOptions, z.ZodType>);

const KIND = 'frozen-lake/1';
const NAMES = ['Left', 'Down', 'Right', 'Up'];

export class FrozenLakeEnv extends BaseEnv<LakeObservation, number, LakeInfo> {
  override readonly metadata = { renderModes: ['rgb_array', 'ansi'], renderFps: 4 } as const;
  readonly observationSpace: Space<LakeObservation>;
  readonly actionSpace = spaces.discrete(4, { labels: [...LAKE_ACTIONS] });
  readonly dialogue: Dialogue<LakeObservation, number, LakeInfo>;
  /** Keyboard key → action. */
  readonly keys = { left: 0, down: 1, right: 2, up: 3 } as const;

  readonly #map: LakeMap;
  readonly #rules: LakeRules;
  readonly #kind: NonNullable<FrozenLakeOptions['observation']>;
  readonly #painter: TilePainter;
  #lake: Lake | undefined;
  #best: Uint8Array | undefined;

  constructor(options: FrozenLakeOptions = {}, mapName: LakeMapName = '4x4') {
    const checked = parseOptions(options, schema);
    super({ renderMode: checked.renderMode });
    this.#map = checkedMap(checked.desc ?? LAKE_MAPS[checked.mapName ?? mapName]);
    const { isSlippery = true, successRate = 1 / 3, rewardSchedule: rewards = [1, 0, 0] } = checked;
    this.#rules = { isSlippery, successRate, rewards };
    this.#kind = checked.observation ?? 'state';
    const tileSize = checked.tileSize ?? 16;
    this.#painter = new TilePainter(lakeTiles(tileSize), tileSize);
    const [rows, columns] = [this.#map.length, this.#map[0]!.length];
    const space = {
      state: () => spaces.discrete(rows * columns),
      image: () => spaces.image({ height: rows * tileSize, width: columns * tileSize }),
      text: () => spaces.text({ maxLength: rows * (3 * columns + 1) }),
    }[this.#kind]();
    this.observationSpace = space as unknown as Space<LakeObservation>;
    this.dialogue = plainDialogue(
      { ...LAKE_WORDS, actions: LAKE_ACTIONS, board: (seen) => this.#boardOf(seen) },
      checked.dialogue ?? 'plain-v1',
    );
  }

  reset(given?: ResetOptions): ResetResult<LakeObservation, LakeInfo> {
    this.ensureOpen('reset');
    const { seed } = parseReset(given);
    if (seed !== undefined) this.reseed(seed);
    if (this.#lake) this.#lake.restart(this.rng);
    else this.#lake = new Lake(this.#map, this.#rules, this.rng);
    return {
      observation: this.#observe(),
      info: { ...this.#info(1), taskKey: taskKey('frozenlake', `${this.#map.join('/')}@${this.#lake.position}`) },
    };
  }

  step(action: number): StepResult<LakeObservation, LakeInfo> {
    this.ensureOpen('step');
    this.checkAction(action);
    const { reward, terminated, prob } = this.#started('step').slide(action, this.rng);
    return { observation: this.#observe(), reward, terminated, truncated: false, info: this.#info(prob) };
  }

  /** As in Gymnasium: the last action, and the map with the player's cell in red. */
  override render(): RenderFrame {
    const lake = this.#started('render');
    if (this.renderMode === 'rgb_array') return this.#painter.draw(lakeCells(lake), lake.columns);
    if (this.renderMode !== 'ansi') return this.renderNothing();
    const rows = lake.map.map((row, at) => {
      const column = lake.position - at * lake.columns;
      if (column < 0 || column >= lake.columns) return row;
      return `${row.slice(0, column)}\u001b[41m${row[column]}\u001b[0m${row.slice(column + 1)}`;
    });
    const said = lake.lastAction === undefined ? '' : `  (${NAMES[lake.lastAction]})`;
    return `${said}\n${rows.join('\n')}\n`;
  }

  /** The action with the largest chance of reaching the goal; `undefined` if the goal cannot be reached. */
  oracle(): number | undefined {
    const lake = this.#started('oracle');
    const next = nextOnWay(lake);
    if (next === undefined || !this.#rules.isSlippery) return next;
    this.#best ??= bestActions(lake);
    return this.#best[lake.position];
  }

  /** The action in words, for people. */
  describeAction(action: number): string {
    return LAKE_ACTIONS[action] ?? String(action);
  }

  /** The task in words, for people. */
  describeTask(): string {
    return LAKE_WORDS.task;
  }

  /** The lake in words, for people who do not see it. */
  describeState(): string {
    return lakeWords(this.#started('describeState'));
  }

  /** The reason why an action would change nothing, for people; on slippery ice every action can. */
  describeRefusal(action: number): string | undefined {
    const lake = this.#started('describeRefusal');
    return this.#rules.isSlippery ? undefined : lakeRefusal(lake, LAKE_ACTIONS[action]!);
  }

  /** The reason for the end, for people. */
  describeEnd(): string | undefined {
    return lakeEnd(this.#started('describeEnd').letter);
  }

  snapshot(): EnvSnapshot {
    const { position = null, lastAction = null } = this.#lake ?? {};
    return { kind: KIND, state: { rng: this.rng.getState(), position, lastAction } };
  }

  /** @throws {SnapshotMismatchError} The snapshot is damaged, or of a larger map. */
  restore(snapshot: EnvSnapshot): void {
    this.ensureOpen('restore');
    const cells = this.#map.length * this.#map[0]!.length;
    const saved = parseSnapshot(
      snapshot,
      KIND,
      z.strictObject({
        rng: generatorState,
        position: option.integer(0, cells - 1).nullable(),
        lastAction: option.integer(0, 3).nullable(),
      }),
    );
    this.rng = new Generator(0);
    this.rng.setState(saved.rng);
    this.#lake =
      saved.position === null ? undefined : new Lake(this.#map, this.#rules, new Generator(0), saved.position);
    if (this.#lake) this.#lake.lastAction = saved.lastAction ?? undefined;
  }

  /** The board of an observation that is not a picture. */
  #boardOf(seen: LakeObservation): string {
    if (typeof seen !== 'number') return String(seen);
    return lakeBoard({ cells: this.#map.join(''), columns: this.#map[0]!.length, position: seen });
  }

  #observe(): LakeObservation {
    const lake = this.#started('reset');
    if (this.#kind === 'state') return lake.position;
    if (this.#kind === 'text') return lakeBoard(lake);
    return this.#painter.draw(lakeCells(lake), lake.columns);
  }

  #info(prob: number): LakeInfo {
    const lake = this.#started('reset');
    const player = [Math.floor(lake.position / lake.columns) + 1, (lake.position % lake.columns) + 1] as const;
    return { player, prob };
  }

  #started(method: string): Lake {
    return this.started(method, this.#lake);
  }
}

const LAKE_WORDS = {
  name: 'frozenlake',
  rules:
    'You walk on a frozen lake. The ice may be slippery, and then you may slide to a side. On the board _ is ice, O a hole, G the goal, P you.',
  task: 'Reach the goal without falling into a hole.',
} as const;
