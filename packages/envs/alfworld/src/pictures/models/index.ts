/** Models of ALFWorld's classes, by name in lower case. */
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
/** Objects that an agent can take, and scenery. */
export const OBJECT_MODELS: ObjectModels = { ...FOOD, ...KITCHENWARE, ...BELONGINGS, ...CARE, ...FITTINGS };
export { FITTINGS };
