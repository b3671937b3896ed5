/** @vlgym/miniworld: first-person tasks in 3D rooms. Importing the package registers `MiniWorld-…-v0`. */
import './register.js';

export { DIALOGUE_STYLES, type DialogueStyle } from './dialogue/styles.js';
export { createMiniWorld, type ObservationOfTask, type SuiteOptions } from './env/make-task.js';
export { MiniWorldEnv, type MiniWorldInfo } from './env/miniworld-env.js';
export type { DepthObservation, MiniWorldObservation, RgbdObservation } from './env/observations.js';
export { type MiniWorldOptions, OBSERVATION_KINDS, type ObservationKind } from './env/options.js';
export { createMiniWorldVector, type MiniWorldVectorOptions, type OwnVectorOptions } from './env/vector.js';
export { defineMesh, type Part, type PartShape } from './meshes/models.js';
export { defineMeshObject, type ObjectLike } from './meshes/object-models.js';
export type { DepthMap, Size, ViewName } from './scene/painter.js';
export type { SavedEntity, SavedEpisode } from './tasks/saved-episode.js';
export { Simulation, type SimulationOptions, type StepOutcome } from './tasks/simulation.js';
export { SUITE, type TaskName, type TaskOptions } from './tasks/suite.js';
export {
  defineTask,
  type Goal,
  NOTHING,
  type Outcome,
  type Rules,
  reach,
  type Spawner,
  successReward,
  type Task,
} from './tasks/task.js';
export { describeWorld } from './text/describe-world.js';
export { type Sight, sights } from './text/sights.js';
export { AssetFolderError, defineTexture } from './textures/library.js';
export { ACTIONS } from './world/actions.js';
export { COLOR_NAMES, COLORS, type ColorName } from './world/colors.js';
export { Door, type DoorOptions } from './world/door.js';
export { Agent, Ball, Box, Entity, Key, type Looks, MeshEntity, type MeshEntityOptions } from './world/entity.js';
export {
  ImpossibleWorldError,
  SnapshotError,
  UnknownMeshError,
  UnknownTextureError,
  WorldError,
} from './world/errors.js';
export type { AddRoomOptions, Bounds } from './world/floor-plan.js';
export { ImageFrame, TextFrame } from './world/frames.js';
export { meshNames } from './world/mesh-extents.js';
export {
  DEFAULT_PARAMETERS,
  FAST_PARAMETERS,
  type ParameterName,
  type ParameterOverrides,
  type Parameters,
  type Range,
  type Triple,
} from './world/parameters.js';
export type { Atmosphere, Placement, Pose, Spawned, SpawnPlace } from './world/placement.js';
export type { PlanPoint, Portal, PortalOptions, Room, RoomOptions, RoomSurface } from './world/room.js';
export { textureNames } from './world/texture-names.js';
export { World } from './world/world.js';
