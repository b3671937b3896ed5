/** The suite: every name in `MiniWorld-<name>-v0` with the function that creates its task. */
import * as mazes from './mazes.js';
import * as objects from './objects.js';
import * as rooms from './rooms.js';

export const SUITE = {
  CollectHealth: objects.collectHealth,
  FourRooms: rooms.fourRooms,
  Hallway: rooms.hallway,
  Maze: mazes.maze,
  MazeS2: mazes.mazeS2,
  MazeS3: mazes.mazeS3,
  MazeS3Fast: mazes.mazeS3Fast,
  OneRoom: rooms.oneRoom,
  OneRoomS6: rooms.oneRoomS6,
  OneRoomS6Fast: rooms.oneRoomS6Fast,
  PickupObjects: objects.pickupObjects,
  PutNext: objects.putNext,
  RoomObjects: objects.roomObjects,
  Sidewalk: rooms.sidewalk,
  Sign: objects.sign,
  ThreeRooms: rooms.threeRooms,
  TMaze: mazes.tMaze,
  TMazeLeft: mazes.tMazeLeft,
  TMazeRight: mazes.tMazeRight,
  WallGap: rooms.wallGap,
  YMaze: mazes.yMaze,
  YMazeLeft: mazes.yMazeLeft,
  YMazeRight: mazes.yMazeRight,
} as const;

export type TaskName = keyof typeof SUITE;

/** Options of a task, without the options that all worlds share. */
export type TaskOptions<Name extends TaskName> =
  Parameters<(typeof SUITE)[Name]> extends [] ? object : NonNullable<Parameters<(typeof SUITE)[Name]>[0]>;

/** Names of the options that each task takes. */
export const TASK_OPTIONS: Readonly<Record<TaskName, readonly string[]>> = {
  CollectHealth: ['size'],
  FourRooms: [],
  Hallway: ['length'],
  Maze: ['numRows', 'numCols', 'roomSize', 'maxEpisodeSteps'],
  MazeS2: ['numRows', 'numCols', 'roomSize', 'maxEpisodeSteps'],
  MazeS3: ['numRows', 'numCols', 'roomSize', 'maxEpisodeSteps'],
  MazeS3Fast: ['numRows', 'numCols', 'roomSize', 'maxEpisodeSteps'],
  OneRoom: ['size', 'maxEpisodeSteps', 'colors'],
  OneRoomS6: ['size', 'maxEpisodeSteps', 'colors'],
  OneRoomS6Fast: ['size', 'maxEpisodeSteps', 'colors'],
  PickupObjects: ['size', 'numObjs'],
  PutNext: ['size'],
  RoomObjects: ['size'],
  Sidewalk: [],
  Sign: ['size', 'maxEpisodeSteps', 'colorIndex', 'goal'],
  ThreeRooms: [],
  TMaze: ['goalPos'],
  TMazeLeft: ['goalPos'],
  TMazeRight: ['goalPos'],
  WallGap: [],
  YMaze: ['goalPos'],
  YMazeLeft: ['goalPos'],
  YMazeRight: ['goalPos'],
};
