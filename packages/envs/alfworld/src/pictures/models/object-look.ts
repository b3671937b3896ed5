/** Parameters of a model of an object. */
import type { Shape } from './solids.js';

export interface ObjectLook {
  readonly sliced: boolean;
  /** Towels and toilet paper hang on their holders, and lie elsewhere. */
  readonly hanging: boolean;
  /** The lamp is on. */
  readonly lit: boolean;
}

/** Class in lower case → shape in meters, standing on the origin with its front towards +z. */
export type ObjectModels = Readonly<Record<string, (look: ObjectLook) => Shape>>;
