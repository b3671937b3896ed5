/**
 * Writes a household as ALFWorld's data files: `game.tw-pddl` and `traj_data.json` in its folder layout.
 *
 * All programs for ALFWorld's data can read these, including the original; formats: `docs/specs/alfworld.md`, section
 * 2. Both files carry the generator's version under a separate key.
 */
import { join } from 'node:path';
import { writeFileAtomic } from '@vlgym/core/internal';
import { GAME_FILE, TRAJECTORY_FILE } from '../games/game-file.js';
import { GENERATOR_VERSION, householdTexts, walkthroughOf } from './household.js';
import type { GeneratedSplit, Household } from './household-types.js';
import { floorPlanOf, type Pose, sceneNumber } from './layout.js';

/** ALFWorld's folder for each of our splits. */
const SPLIT_FOLDERS: Readonly<Record<GeneratedSplit, string>> = {
  train: 'train',
  seen: 'valid_seen',
  unseen: 'valid_unseen',
};

export interface HouseholdFiles {
  /** Path below the data folder: `json_2.1.1/train/pick_…-Mug-None-Shelf-1012/trial_vlgym_123`. */
  readonly folder: string;
  /** File name → content. */
  readonly files: Readonly<Record<string, string>>;
}

export function householdFiles(household: Household): HouseholdFiles {
  const { target, layout, split, seed } = household;
  const task = `${target.type}-${target.object}-None-${target.receptacle || target.lamp}-${sceneNumber(layout)}`;
  const trial = `trial_vlgym_${seed}`;
  const { domain, problem, grammar } = householdTexts(household);
  const walkthrough = walkthroughOf(household);
  const origin = { generator: GENERATOR_VERSION, id: household.id };
  const game = {
    pddl_domain: domain,
    grammar,
    pddl_problem: problem,
    solvable: walkthrough !== undefined,
    walkthrough: walkthrough ?? null,
    vlgym: origin,
  };
  return {
    folder: join('json_2.1.1', SPLIT_FOLDERS[split], task, trial),
    files: {
      [GAME_FILE]: JSON.stringify(game),
      [TRAJECTORY_FILE]: JSON.stringify({ ...trajectory(household, trial), vlgym: { ...origin, layout } }),
    },
  };
}

/**
 * Writes a household below a data folder.
 *
 * @returns Path of its `game.tw-pddl`.
 * @throws {FileWriteError} An existing file is left unchanged.
 */
export async function writeHousehold(data: string, household: Household): Promise<string> {
  const { folder, files } = householdFiles(household);
  // The game is written last: a folder without it does not count as a game.
  for (const name of [TRAJECTORY_FILE, GAME_FILE]) await writeFileAtomic(join(data, folder, name), files[name]!);
  return join(data, folder, GAME_FILE);
}

function trajectory(household: Household, trial: string) {
  const { target, layout, things, seed, sentence } = household;
  return {
    images: [],
    pddl_params: {
      mrecep_target: '',
      object_sliced: false,
      object_target: target.object,
      parent_target: target.receptacle,
      toggle_target: target.lamp,
    },
    plan: { high_pddl: [], low_actions: [] },
    scene: {
      dirty_and_empty: false,
      floor_plan: floorPlanOf(layout),
      init_action: teleport(layout.start),
      object_poses: things.map(({ type, id, position: [x, y, z] }, index) => ({
        objectName: `${type}_${index}`,
        objectId: id,
        position: { x, y, z },
        rotation: { x: 0, y: 0, z: 0 },
      })),
      object_toggles: [],
      random_seed: seed,
      scene_num: sceneNumber(layout),
    },
    task_id: trial,
    task_type: target.type,
    turk_annotations: { anns: [{ high_descs: [], task_desc: `${sentence}.`, votes: [1] }] },
  };
}

function teleport({ x, z, rotation, horizon }: Pose) {
  return {
    action: 'TeleportFull',
    horizon,
    rotateOnTeleport: true,
    rotation: rotation * 90,
    x: x / 4,
    y: 0.9,
    z: z / 4,
  };
}
