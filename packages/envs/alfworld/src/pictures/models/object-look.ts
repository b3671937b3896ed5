/** What a model of an object is asked for. */
import type { Shape } from './solids.js';

export interface ObjectLook {
  readonly sliced: boolean;
  /** Towels and paper on their holders hang; elsewhere they lie. */
  readonly hanging: boolean;
  /** A lamp that has been turned on. */
  readonly lit: boolean;
}

/** Class in small letters → its shape in meters, standing on the origin, its front towards +z. */
export type ObjectModels = Readonly<Record<string, (look: ObjectLook) => Shape>>;
