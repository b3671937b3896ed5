/** Generated households. */
export { type HouseholdFiles, householdFiles, writeHousehold } from './files.js';
export {
  GENERATOR_VERSION,
  generateHousehold,
  type HouseholdChoice,
  householdTexts,
  walkthroughOf,
} from './household.js';
export { GENERATED_SPLITS, type GeneratedSplit, type Household, type Target, type Thing } from './household-types.js';
export {
  DENSITIES,
  type Density,
  type Layout,
  layoutOf,
  type Pose,
  type Receptacle,
  ROOM_TYPES,
  type RoomType,
} from './layout.js';
