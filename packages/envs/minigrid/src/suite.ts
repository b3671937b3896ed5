/**
 * Every id and its level, as Farama-Foundation/Minigrid 3.2.0 registers them in `minigrid/__init__.py`. The six levels made by
 * wave function collapse are missing.
 */
import { type GeneratedLevel, generatedLevel } from './babyai/generated-level.js';
import * as go from './babyai/levels/go-to.js';
import * as opening from './babyai/levels/open.js';
import * as other from './babyai/levels/other.js';
import * as picking from './babyai/levels/pickup.js';
import * as putting from './babyai/levels/put-next.js';
import * as unlocking from './babyai/levels/unlock.js';
import { doorKey } from './levels/doors/door-key.js';
import { lockedRoom } from './levels/doors/locked-room.js';
import { obstructedMaze, obstructedPair } from './levels/doors/obstructed-maze.js';
import { redBlueDoors } from './levels/doors/red-blue-doors.js';
import * as doors from './levels/doors/unlock.js';
import { fetch } from './levels/objects/fetch.js';
import { goToDoor } from './levels/objects/go-to-door.js';
import { goToObject } from './levels/objects/go-to-object.js';
import { playground } from './levels/objects/playground.js';
import { putNear } from './levels/objects/put-near.js';
import { crossing } from './levels/paths/crossing.js';
import { distShift } from './levels/paths/dist-shift.js';
import { dynamicObstacles } from './levels/paths/dynamic-obstacles.js';
import { empty } from './levels/paths/empty.js';
import { fourRooms } from './levels/paths/four-rooms.js';
import { lavaGap } from './levels/paths/lava-gap.js';
import { memory } from './levels/paths/memory.js';
import { multiRoom } from './levels/paths/multi-room.js';
import type { Level } from './world/task.js';

const SYNTH: GeneratedLevel = { instructions: ['action'], locations: false, implicitUnlock: false };

export const LEVELS = {
  'MiniGrid-BlockedUnlockPickup-v0': () => doors.unlockPickup({ isBlocked: true }),
  'MiniGrid-LavaCrossingS9N1-v0': () => crossing(9, 1),
  'MiniGrid-LavaCrossingS9N2-v0': () => crossing(9, 2),
  'MiniGrid-LavaCrossingS9N3-v0': () => crossing(9, 3),
  'MiniGrid-LavaCrossingS11N5-v0': () => crossing(11, 5),
  'MiniGrid-SimpleCrossingS9N1-v0': () => crossing(9, 1, 'wall'),
  'MiniGrid-SimpleCrossingS9N2-v0': () => crossing(9, 2, 'wall'),
  'MiniGrid-SimpleCrossingS9N3-v0': () => crossing(9, 3, 'wall'),
  'MiniGrid-SimpleCrossingS11N5-v0': () => crossing(11, 5, 'wall'),
  'MiniGrid-DistShift1-v0': () => distShift(2),
  'MiniGrid-DistShift2-v0': () => distShift(5),
  'MiniGrid-DoorKey-5x5-v0': () => doorKey(5),
  'MiniGrid-DoorKey-6x6-v0': () => doorKey(6),
  'MiniGrid-DoorKey-8x8-v0': () => doorKey(8),
  'MiniGrid-DoorKey-16x16-v0': () => doorKey(16),
  'MiniGrid-Dynamic-Obstacles-5x5-v0': () => dynamicObstacles(5, 2),
  'MiniGrid-Dynamic-Obstacles-Random-5x5-v0': () => dynamicObstacles(5, 2, { randomStart: true }),
  'MiniGrid-Dynamic-Obstacles-6x6-v0': () => dynamicObstacles(6, 3),
  'MiniGrid-Dynamic-Obstacles-Random-6x6-v0': () => dynamicObstacles(6, 3, { randomStart: true }),
  'MiniGrid-Dynamic-Obstacles-8x8-v0': () => dynamicObstacles(8, 4),
  'MiniGrid-Dynamic-Obstacles-16x16-v0': () => dynamicObstacles(16, 8),
  'MiniGrid-Empty-5x5-v0': () => empty(5),
  'MiniGrid-Empty-Random-5x5-v0': () => empty(5, { randomStart: true }),
  'MiniGrid-Empty-6x6-v0': () => empty(6),
  'MiniGrid-Empty-Random-6x6-v0': () => empty(6, { randomStart: true }),
  'MiniGrid-Empty-8x8-v0': () => empty(8),
  'MiniGrid-Empty-16x16-v0': () => empty(16),
  'MiniGrid-Fetch-5x5-N2-v0': () => fetch(5, 2),
  'MiniGrid-Fetch-6x6-N2-v0': () => fetch(6, 2),
  'MiniGrid-Fetch-8x8-N3-v0': () => fetch(8, 3),
  'MiniGrid-FourRooms-v0': () => fourRooms(),
  'MiniGrid-GoToDoor-5x5-v0': () => goToDoor(5),
  'MiniGrid-GoToDoor-6x6-v0': () => goToDoor(6),
  'MiniGrid-GoToDoor-8x8-v0': () => goToDoor(8),
  'MiniGrid-GoToObject-6x6-N2-v0': () => goToObject(6),
  'MiniGrid-GoToObject-8x8-N2-v0': () => goToObject(8),
  'MiniGrid-KeyCorridorS3R1-v0': () => doors.keyCorridor(3, 1),
  'MiniGrid-KeyCorridorS3R2-v0': () => doors.keyCorridor(3, 2),
  'MiniGrid-KeyCorridorS3R3-v0': () => doors.keyCorridor(3, 3),
  'MiniGrid-KeyCorridorS4R3-v0': () => doors.keyCorridor(4, 3),
  'MiniGrid-KeyCorridorS5R3-v0': () => doors.keyCorridor(5, 3),
  'MiniGrid-KeyCorridorS6R3-v0': () => doors.keyCorridor(6, 3),
  'MiniGrid-LavaGapS5-v0': () => lavaGap(5),
  'MiniGrid-LavaGapS6-v0': () => lavaGap(6),
  'MiniGrid-LavaGapS7-v0': () => lavaGap(7),
  'MiniGrid-LockedRoom-v0': () => lockedRoom(),
  'MiniGrid-MemoryS17Random-v0': () => memory(17, { randomLength: true }),
  'MiniGrid-MemoryS13Random-v0': () => memory(13, { randomLength: true }),
  'MiniGrid-MemoryS13-v0': () => memory(13),
  'MiniGrid-MemoryS11-v0': () => memory(11),
  'MiniGrid-MemoryS9-v0': () => memory(9),
  'MiniGrid-MemoryS7-v0': () => memory(7),
  'MiniGrid-MultiRoom-N2-S4-v0': () => multiRoom(2, 4),
  'MiniGrid-MultiRoom-N4-S5-v0': () => multiRoom(6, 5),
  'MiniGrid-MultiRoom-N4-S5-v1': () => multiRoom(4, 5),
  'MiniGrid-MultiRoom-N6-v0': () => multiRoom(6),
  'MiniGrid-ObstructedMaze-1Dl-v0': () => obstructedPair({ keyInBox: false, blocked: false }),
  'MiniGrid-ObstructedMaze-1Dlh-v0': () => obstructedPair({ blocked: false }),
  'MiniGrid-ObstructedMaze-1Dlhb-v0': () => obstructedPair(),
  'MiniGrid-ObstructedMaze-2Dl-v0': () =>
    obstructedMaze({ agentRoom: [2, 1], keyInBox: false, blocked: false, quarters: 1, roomsVisited: 4 }),
  'MiniGrid-ObstructedMaze-2Dlh-v0': () =>
    obstructedMaze({ agentRoom: [2, 1], blocked: false, quarters: 1, roomsVisited: 4 }),
  'MiniGrid-ObstructedMaze-2Dlhb-v0': () => obstructedMaze({ agentRoom: [2, 1], quarters: 1, roomsVisited: 4 }),
  'MiniGrid-ObstructedMaze-1Q-v0': () => obstructedMaze({ agentRoom: [1, 1], quarters: 1, roomsVisited: 5 }),
  'MiniGrid-ObstructedMaze-2Q-v0': () => obstructedMaze({ agentRoom: [2, 1], quarters: 2, roomsVisited: 11 }),
  'MiniGrid-ObstructedMaze-Full-v0': () => obstructedMaze({ agentRoom: [1, 1], quarters: 4, roomsVisited: 25 }),
  'MiniGrid-ObstructedMaze-2Dlhb-v1': () =>
    obstructedMaze({ agentRoom: [2, 1], quarters: 1, roomsVisited: 4, version: 1 }),
  'MiniGrid-ObstructedMaze-1Q-v1': () =>
    obstructedMaze({ agentRoom: [1, 1], quarters: 1, roomsVisited: 5, version: 1 }),
  'MiniGrid-ObstructedMaze-2Q-v1': () =>
    obstructedMaze({ agentRoom: [2, 1], quarters: 2, roomsVisited: 11, version: 1 }),
  'MiniGrid-ObstructedMaze-Full-v1': () =>
    obstructedMaze({ agentRoom: [1, 1], quarters: 4, roomsVisited: 25, version: 1 }),
  'MiniGrid-Playground-v0': () => playground(),
  'MiniGrid-PutNear-6x6-N2-v0': () => putNear(6, 2),
  'MiniGrid-PutNear-8x8-N3-v0': () => putNear(8, 3),
  'MiniGrid-RedBlueDoors-6x6-v0': () => redBlueDoors(6),
  'MiniGrid-RedBlueDoors-8x8-v0': () => redBlueDoors(8),
  'MiniGrid-Unlock-v0': () => doors.unlock(),
  'MiniGrid-UnlockPickup-v0': () => doors.unlockPickup(),
  'BabyAI-GoToRedBallGrey-v0': () => go.goToRedBall({ dull: true }),
  'BabyAI-GoToRedBall-v0': () => go.goToRedBall(),
  'BabyAI-GoToRedBallNoDists-v0': () => go.goToRedBall({ distractors: 0 }),
  'BabyAI-GoToObj-v0': () => go.goToObject(),
  'BabyAI-GoToObjS4-v0': () => go.goToObject(4),
  'BabyAI-GoToObjS6-v1': () => go.goToObject(6),
  'BabyAI-GoToLocal-v0': () => go.goToLocal(),
  'BabyAI-GoToLocalS5N2-v0': () => go.goToLocal(5, 2),
  'BabyAI-GoToLocalS6N2-v0': () => go.goToLocal(6, 2),
  'BabyAI-GoToLocalS6N3-v0': () => go.goToLocal(6, 3),
  'BabyAI-GoToLocalS6N4-v0': () => go.goToLocal(6, 4),
  'BabyAI-GoToLocalS7N4-v0': () => go.goToLocal(7, 4),
  'BabyAI-GoToLocalS7N5-v0': () => go.goToLocal(7, 5),
  'BabyAI-GoToLocalS8N2-v0': () => go.goToLocal(8, 2),
  'BabyAI-GoToLocalS8N3-v0': () => go.goToLocal(8, 3),
  'BabyAI-GoToLocalS8N4-v0': () => go.goToLocal(8, 4),
  'BabyAI-GoToLocalS8N5-v0': () => go.goToLocal(8, 5),
  'BabyAI-GoToLocalS8N6-v0': () => go.goToLocal(8, 6),
  'BabyAI-GoToLocalS8N7-v0': () => go.goToLocal(8, 7),
  'BabyAI-GoTo-v0': () => go.goToAnywhere(),
  'BabyAI-GoToOpen-v0': () => go.goToAnywhere({ doorsOpen: true }),
  'BabyAI-GoToObjMaze-v0': () => go.goToAnywhere({ distractors: 1 }),
  'BabyAI-GoToObjMazeOpen-v0': () => go.goToAnywhere({ distractors: 1, doorsOpen: true }),
  'BabyAI-GoToObjMazeS4R2-v0': () => go.goToAnywhere({ distractors: 1, roomSize: 4, rows: 2, columns: 2 }),
  'BabyAI-GoToObjMazeS4-v0': () => go.goToAnywhere({ distractors: 1, roomSize: 4 }),
  'BabyAI-GoToObjMazeS5-v0': () => go.goToAnywhere({ distractors: 1, roomSize: 5 }),
  'BabyAI-GoToObjMazeS6-v0': () => go.goToAnywhere({ distractors: 1, roomSize: 6 }),
  'BabyAI-GoToObjMazeS7-v0': () => go.goToAnywhere({ distractors: 1, roomSize: 7 }),
  'BabyAI-GoToImpUnlock-v0': () => go.goToBehindLock(),
  'BabyAI-GoToSeq-v0': () => go.goToSequence(),
  'BabyAI-GoToSeqS5R2-v0': () => go.goToSequence({ roomSize: 5, rows: 2, columns: 2, distractors: 4 }),
  'BabyAI-GoToRedBlueBall-v0': () => go.goToRedBlueBall(),
  'BabyAI-GoToDoor-v0': () => go.goToDoor(),
  'BabyAI-GoToObjDoor-v0': () => go.goToObjectOrDoor(),
  'BabyAI-Open-v0': () => opening.open(),
  'BabyAI-OpenRedDoor-v0': () => opening.openRedDoor(),
  'BabyAI-OpenDoor-v0': () => opening.openDoor(),
  'BabyAI-OpenDoorDebug-v0': () => opening.openDoor({ strict: true }),
  'BabyAI-OpenDoorColor-v0': () => opening.openDoor({ by: 'color' }),
  'BabyAI-OpenDoorLoc-v0': () => opening.openDoor({ by: 'loc' }),
  'BabyAI-OpenTwoDoors-v0': () => opening.openTwoDoors(),
  'BabyAI-OpenRedBlueDoors-v0': () => opening.openTwoDoors({ first: 'red', second: 'blue' }),
  'BabyAI-OpenRedBlueDoorsDebug-v0': () => opening.openTwoDoors({ first: 'red', second: 'blue', strict: true }),
  'BabyAI-OpenDoorsOrderN2-v0': () => opening.openDoorsInOrder(2),
  'BabyAI-OpenDoorsOrderN4-v0': () => opening.openDoorsInOrder(4),
  'BabyAI-OpenDoorsOrderN2Debug-v0': () => opening.openDoorsInOrder(2, { strict: true }),
  'BabyAI-OpenDoorsOrderN4Debug-v0': () => opening.openDoorsInOrder(4, { strict: true }),
  'BabyAI-Pickup-v0': () => picking.pickup(),
  'BabyAI-UnblockPickup-v0': () => picking.unblockPickup(),
  'BabyAI-PickupLoc-v0': () => picking.pickupByLocation(),
  'BabyAI-PickupDist-v0': () => picking.pickupAmongOthers(),
  'BabyAI-PickupDistDebug-v0': () => picking.pickupAmongOthers({ strict: true }),
  'BabyAI-PickupAbove-v0': () => picking.pickupAbove(),
  'BabyAI-PutNextLocal-v0': () => putting.putNextLocal(),
  'BabyAI-PutNextLocalS5N3-v0': () => putting.putNextLocal(5, 3),
  'BabyAI-PutNextLocalS6N4-v0': () => putting.putNextLocal(6, 4),
  'BabyAI-PutNextS4N1-v0': () => putting.putNext(4, 1),
  'BabyAI-PutNextS5N2-v0': () => putting.putNext(5, 2),
  'BabyAI-PutNextS5N1-v0': () => putting.putNext(5, 1),
  'BabyAI-PutNextS6N3-v0': () => putting.putNext(6, 3),
  'BabyAI-PutNextS7N4-v0': () => putting.putNext(7, 4),
  'BabyAI-PutNextS5N2Carrying-v0': () => putting.putNext(5, 2, { isCarrying: true }),
  'BabyAI-PutNextS6N3Carrying-v0': () => putting.putNext(6, 3, { isCarrying: true }),
  'BabyAI-PutNextS7N4Carrying-v0': () => putting.putNext(7, 4, { isCarrying: true }),
  'BabyAI-Unlock-v0': () => unlocking.unlock(),
  'BabyAI-UnlockLocal-v0': () => unlocking.unlockLocal(),
  'BabyAI-UnlockLocalDist-v0': () => unlocking.unlockLocal({ distractors: 3 }),
  'BabyAI-KeyInBox-v0': () => unlocking.keyInBox(),
  'BabyAI-UnlockPickup-v0': () => unlocking.unlockPickup(),
  'BabyAI-UnlockPickupDist-v0': () => unlocking.unlockPickup({ distractors: 4 }),
  'BabyAI-BlockedUnlockPickup-v0': () => unlocking.blockedUnlockPickup(),
  'BabyAI-UnlockToUnlock-v0': () => unlocking.unlockToUnlock(),
  'BabyAI-ActionObjDoor-v0': () => other.actionWithObjectOrDoor(),
  'BabyAI-FindObjS5-v0': () => other.findObject(5),
  'BabyAI-FindObjS6-v0': () => other.findObject(6),
  'BabyAI-FindObjS7-v0': () => other.findObject(7),
  'BabyAI-KeyCorridor-v0': () => other.keyCorridor(),
  'BabyAI-KeyCorridorS3R1-v0': () => other.keyCorridor(3, 1),
  'BabyAI-KeyCorridorS3R2-v0': () => other.keyCorridor(3, 2),
  'BabyAI-KeyCorridorS3R3-v0': () => other.keyCorridor(3, 3),
  'BabyAI-KeyCorridorS4R3-v0': () => other.keyCorridor(4, 3),
  'BabyAI-KeyCorridorS5R3-v0': () => other.keyCorridor(5, 3),
  'BabyAI-KeyCorridorS6R3-v0': () => other.keyCorridor(6, 3),
  'BabyAI-OneRoomS8-v0': () => other.oneRoom(8),
  'BabyAI-OneRoomS12-v0': () => other.oneRoom(12),
  'BabyAI-OneRoomS16-v0': () => other.oneRoom(16),
  'BabyAI-OneRoomS20-v0': () => other.oneRoom(20),
  'BabyAI-MoveTwoAcrossS5N2-v0': () => putting.moveTwoAcross(5, 2),
  'BabyAI-MoveTwoAcrossS8N9-v0': () => putting.moveTwoAcross(8, 9),
  'BabyAI-Synth-v0': () => generatedLevel(SYNTH),
  'BabyAI-SynthS5R2-v0': () => generatedLevel({ ...SYNTH, roomSize: 5, rows: 2 }),
  'BabyAI-SynthLoc-v0': () => generatedLevel({ instructions: ['action'], implicitUnlock: false }),
  'BabyAI-SynthSeq-v0': () => generatedLevel({ implicitUnlock: false }),
  'BabyAI-MiniBossLevel-v0': () =>
    generatedLevel({ roomSize: 5, rows: 2, columns: 2, distractors: 7, lockedRoomProbability: 0.25 }),
  'BabyAI-BossLevel-v0': () => generatedLevel(),
  'BabyAI-BossLevelNoUnlock-v0': () => generatedLevel({ lockedRoomProbability: 0, implicitUnlock: false }),
} as const satisfies Readonly<Record<string, () => Level>>;

export type LevelId = keyof typeof LEVELS;
