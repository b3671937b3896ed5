/** Registers this package's environments on import; package.json lists the ids. */
import { CONTENT_SPLITS, type KnownEnv, register, registerVerifier } from '@vlgym/core';
import type { EnvBaseline } from '@vlgym/core/registry';
import { createMiniWorld, type ObservationOfTask, type SuiteOptions } from './env/make-task.js';
import type { MiniWorldEnv } from './env/miniworld-env.js';
import type { ObservationKind } from './env/options.js';
import { miniWorldGuide } from './tasks/guides.js';
import { SUITE, type TaskName } from './tasks/suite.js';
import { SMALL_ROOM_TRAINING, WALK_TRAINING } from './training.js';

/** An environment of the suite, its options, and what it observes by the option `observation`. */
type World<Name extends TaskName> = KnownEnv<
  MiniWorldEnv<ObservationOfTask<Name>>,
  SuiteOptions<Name>,
  { observation: { [Kind in ObservationKind]: MiniWorldEnv<ObservationOfTask<Name, Kind>> } }
>;

declare module '@vlgym/core' {
  interface KnownEnvs {
    'MiniWorld-CollectHealth-v0': World<'CollectHealth'>;
    'MiniWorld-FourRooms-v0': World<'FourRooms'>;
    'MiniWorld-Hallway-v0': World<'Hallway'>;
    'MiniWorld-Maze-v0': World<'Maze'>;
    'MiniWorld-MazeS2-v0': World<'MazeS2'>;
    'MiniWorld-MazeS3-v0': World<'MazeS3'>;
    'MiniWorld-MazeS3Fast-v0': World<'MazeS3Fast'>;
    'MiniWorld-OneRoom-v0': World<'OneRoom'>;
    'MiniWorld-OneRoomS6-v0': World<'OneRoomS6'>;
    'MiniWorld-OneRoomS6Fast-v0': World<'OneRoomS6Fast'>;
    'MiniWorld-PickupObjects-v0': World<'PickupObjects'>;
    'MiniWorld-PutNext-v0': World<'PutNext'>;
    'MiniWorld-RoomObjects-v0': World<'RoomObjects'>;
    'MiniWorld-Sidewalk-v0': World<'Sidewalk'>;
    'MiniWorld-Sign-v0': World<'Sign'>;
    'MiniWorld-ThreeRooms-v0': World<'ThreeRooms'>;
    'MiniWorld-TMaze-v0': World<'TMaze'>;
    'MiniWorld-TMazeLeft-v0': World<'TMazeLeft'>;
    'MiniWorld-TMazeRight-v0': World<'TMazeRight'>;
    'MiniWorld-WallGap-v0': World<'WallGap'>;
    'MiniWorld-YMaze-v0': World<'YMaze'>;
    'MiniWorld-YMazeLeft-v0': World<'YMazeLeft'>;
    'MiniWorld-YMazeRight-v0': World<'YMazeRight'>;
  }
}

/** Success of random actions in the worlds where it was measured; the oracle solved every episode there. */
const RANDOM: Partial<Record<TaskName, number>> = { Hallway: 0.35, OneRoomS6Fast: 0.53 };

function baselines(name: TaskName): EnvBaseline[] {
  const random = RANDOM[name];
  const measured = { episodes: 100, source: 'docs/benchmark/agents.yaml' };
  if (random === undefined) return [];
  return [
    { agent: 'random', successRate: random, ...measured },
    { agent: 'oracle', successRate: 1, ...measured },
  ];
}

// without a step limit here: each world truncates by itself, as in the original
for (const name of Object.keys(SUITE) as TaskName[]) {
  register({
    id: `MiniWorld-${name}-v0`,
    module: '@vlgym/miniworld',
    title: `MiniWorld ${name}`,
    shortNames: [`miniworld/${name}`, name, ...(name === 'FourRooms' ? ['miniworld'] : [])],
    surface: 'page',
    guide: (options) => miniWorldGuide(name, options),
    splits: CONTENT_SPLITS,
    training: name === 'OneRoomS6Fast' ? SMALL_ROOM_TRAINING : WALK_TRAINING,
    baselines: baselines(name),
    entryPoint: (options) => createMiniWorld(name, options),
  });
}

registerVerifier({
  name: 'miniworld',
  description:
    'All worlds of MiniWorld 2.1.0: random and expert actions, every third episode with random looks. Generator, positions, rewards and ends must be equal; with a display also depth and colors.',
  load: async () => (await import('./verifier/miniworld.js')).miniworld,
});
