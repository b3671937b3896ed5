/** The ids of this package. Importing the package registers them. */
import { type RgbImage, register } from '@vlgym/core';
import { createMiniWorld, type ObservationOfTask } from './env/make-task.js';
import type { MiniWorldEnv } from './env/miniworld-env.js';
import { SUITE, type TaskName } from './tasks/suite.js';

type Pictures = MiniWorldEnv<RgbImage>;

declare module '@vlgym/core' {
  interface KnownEnvs {
    'MiniWorld-CollectHealth-v0': Pictures;
    'MiniWorld-FourRooms-v0': Pictures;
    'MiniWorld-Hallway-v0': Pictures;
    'MiniWorld-Maze-v0': Pictures;
    'MiniWorld-MazeS2-v0': Pictures;
    'MiniWorld-MazeS3-v0': Pictures;
    'MiniWorld-MazeS3Fast-v0': Pictures;
    'MiniWorld-OneRoom-v0': Pictures;
    'MiniWorld-OneRoomS6-v0': Pictures;
    'MiniWorld-OneRoomS6Fast-v0': Pictures;
    'MiniWorld-PickupObjects-v0': Pictures;
    'MiniWorld-PutNext-v0': Pictures;
    'MiniWorld-RoomObjects-v0': Pictures;
    'MiniWorld-Sidewalk-v0': Pictures;
    'MiniWorld-Sign-v0': MiniWorldEnv<ObservationOfTask<'Sign'>>;
    'MiniWorld-ThreeRooms-v0': Pictures;
    'MiniWorld-TMaze-v0': Pictures;
    'MiniWorld-TMazeLeft-v0': Pictures;
    'MiniWorld-TMazeRight-v0': Pictures;
    'MiniWorld-WallGap-v0': Pictures;
    'MiniWorld-YMaze-v0': Pictures;
    'MiniWorld-YMazeLeft-v0': Pictures;
    'MiniWorld-YMazeRight-v0': Pictures;
  }
}

// no limit of its own: each world truncates by itself, as in the original
for (const name of Object.keys(SUITE) as TaskName[]) {
  register({
    id: `MiniWorld-${name}-v0`,
    module: '@vlgym/miniworld',
    entryPoint: (options) => createMiniWorld(name, options),
  });
}
