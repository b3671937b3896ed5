/** Every class of ALFWorld that has a shape, by its name in small letters. */
import { APPLIANCES } from './appliances.js';
import { BELONGINGS } from './belongings.js';
import { CARE } from './care.js';
import { FITTINGS } from './fittings.js';
import { FOOD } from './food.js';
import { FURNITURE } from './furniture.js';
import type { FurnitureModels } from './furniture-look.js';
import { KITCHENWARE } from './kitchenware.js';
import type { ObjectModels } from './object-look.js';
import { PLUMBING } from './plumbing.js';

export const RECEPTACLE_MODELS: FurnitureModels = { ...FURNITURE, ...APPLIANCES, ...PLUMBING };
/** What an agent can take, and what it can only see. */
export const OBJECT_MODELS: ObjectModels = { ...FOOD, ...KITCHENWARE, ...BELONGINGS, ...CARE, ...FITTINGS };
export { FITTINGS };
