/** Every class of ALFWorld that has a shape, by its name in small letters. */
import { APPLIANCES } from './appliances.js';
import { BELONGINGS } from './belongings.js';
import { FIXTURES } from './fixtures.js';
import { FOOD } from './food.js';
import { FURNITURE } from './furniture.js';
import type { FurnitureModels } from './furniture-look.js';
import { KITCHENWARE } from './kitchenware.js';
import type { ObjectModels } from './object-look.js';

export const RECEPTACLE_MODELS: FurnitureModels = { ...FURNITURE, ...APPLIANCES };
/** What an agent can take, and what it can only see. */
export const OBJECT_MODELS: ObjectModels = { ...FOOD, ...KITCHENWARE, ...BELONGINGS, ...FIXTURES };
export { FIXTURES };
