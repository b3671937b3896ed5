/** Plays one fresh episode in a world of ours, and keeps what the original's must equal. */
import { Generator, type RgbImage } from '@vlgym/core';
import { Oracle } from '../oracle/oracle.js';
import { type DepthMap, Painter } from '../scene/painter.js';
import { Simulation } from '../tasks/simulation.js';
import { SUITE, type TaskName } from '../tasks/suite.js';
import type { Entity } from '../world/entity.js';
import type { World } from '../world/world.js';
import type { GeneratorState, State } from './protocol.js';

/** The size at which views are compared. */
export const VIEW = { width: 160, height: 120 };
/** Longer episodes repeat what shorter ones show. */
const MAX_ACTIONS = 120;

const NAMES = Object.keys(SUITE) as TaskName[];

export interface View {
  readonly picture: RgbImage;
  readonly depth: DepthMap;
}

export interface DrawnEpisode {
  readonly id: string;
  readonly seed: number;
  readonly kwargs: Readonly<Record<string, unknown>>;
  readonly actions: readonly number[];
  readonly start: { readonly state: State; readonly generator: GeneratorState; readonly view: View | undefined };
  readonly rows: readonly (readonly [reward: number, terminated: boolean, truncated: boolean, state: State])[];
  readonly generator: GeneratorState;
  readonly view: View | undefined;
}

/**
 * @param episode  Selects the world; every third episode is randomized.
 * @param assets   Folder with the original's pictures; left out, nothing is drawn.
 */
export function drawEpisode(
  episode: number,
  seed: number,
  random: Generator,
  assets: string | undefined,
): DrawnEpisode {
  const name = NAMES[episode % NAMES.length]!;
  const task = SUITE[name]();
  const domainRand = episode % 3 === 2 && task.domainRand !== false;
  const simulation = new Simulation(task, { domainRand });
  const rng = new Generator(seed);
  simulation.reset(rng);
  const { world } = simulation;
  const painter = assets === undefined ? undefined : new Painter(assets);
  const view = (): View | undefined =>
    painter && { picture: painter.rgb(world, VIEW), depth: painter.depth(world, VIEW) };
  const start = { state: stateOf(world), generator: generatorOf(rng), view: view() };
  const oracle = new Oracle();
  const [actions, rows]: [number[], DrawnEpisode['rows'][number][]] = [[], []];
  for (let over = false; !over && actions.length < MAX_ACTIONS; ) {
    const expert = random.integers(4) === 0 ? undefined : oracle.next(world, simulation.rules.goal?.());
    const action = expert ?? random.integers(task.actions ?? 3);
    simulation.act(action);
    const { reward, terminated, truncated } = simulation.judge(action);
    actions.push(action);
    rows.push([reward, terminated, truncated, stateOf(world)]);
    over = terminated || truncated;
  }
  const last = { generator: generatorOf(rng), view: view() };
  painter?.close();
  const kwargs = {
    obs_width: VIEW.width,
    obs_height: VIEW.height,
    ...(domainRand ? { domain_rand: true } : {}),
  };
  return { id: `MiniWorld-${name}-v0`, seed, kwargs, actions, start, rows, ...last };
}

function stateOf({ agent, entities }: World): State {
  const pose = ({ x, y, z, direction }: Entity) => [x, y, z, direction];
  return [pose(agent), entities.map(pose), agent.carrying ? entities.indexOf(agent.carrying) : -1];
}

function generatorOf(rng: Generator): GeneratorState {
  const { state, inc, hasUint32, uinteger } = rng.getState();
  return [state, inc, Number(hasUint32), uinteger];
}
