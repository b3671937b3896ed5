/** The kinds of observation: the space of each kind, and how it is made from the world. */
import { type RgbImage, type Space, spaces } from '@vlgym/core';
import type { Painter, Size } from '../scene/painter.js';
import type { Task } from '../tasks/task.js';
import { describeWorld } from '../text/describe-world.js';
import type { World } from '../world/world.js';
import type { ObservationKind } from './options.js';

/** Meters along the view axis, rows from the top, `height * width` numbers; 100 where nothing is drawn. */
export type DepthObservation = Float32Array;

export interface RgbdObservation {
  readonly rgb: RgbImage;
  readonly depth: DepthObservation;
}

export type ViewOfKind<Kind extends ObservationKind> = {
  rgb: RgbImage;
  depth: DepthObservation;
  rgbd: RgbdObservation;
  text: string;
}[Kind];

type View = ViewOfKind<ObservationKind>;

/** The view, and the goal's number in tasks that have one (Sign). */
export type MiniWorldObservation = View | { readonly obs: View; readonly goal: number };

export interface Observer {
  readonly space: Space<MiniWorldObservation>;
  /** @param into  Buffer for the picture; omitted: a new one. Used by the kind `rgb` only. */
  observe(world: World, into?: Uint8Array): MiniWorldObservation;
}

/** Maximum length of a description, which lists at most forty entities. */
const MAX_CHARACTERS = 8000;
const FAR = 100;

export function observer(kind: ObservationKind, size: Size, task: Task, painter: () => Painter): Observer {
  const { space, observe } = viewer(kind, size, painter);
  if (task.goal === undefined) return { space, observe };
  const { goal } = task;
  return {
    space: spaces.dict({ obs: space, goal: spaces.discrete(2) }) as unknown as Space<MiniWorldObservation>,
    observe: (world, into) => ({ obs: observe(world, into), goal }),
  };
}

interface Viewer {
  readonly space: Space<MiniWorldObservation>;
  observe(world: World, into?: Uint8Array): View;
}

function viewer(kind: ObservationKind, size: Size, painter: () => Painter): Viewer {
  const image = spaces.image(size);
  const depth = spaces.box({ low: 0, high: FAR, shape: [size.height, size.width] });
  // A space of pictures is a space of observations in which only pictures occur.
  const as = (space: unknown) => space as Space<MiniWorldObservation>;
  switch (kind) {
    case 'rgb':
      return { space: as(image), observe: (world, into) => painter().rgb(world, size, 'agent', into) };
    case 'depth':
      return { space: as(depth), observe: (world) => painter().depth(world, size).data };
    case 'rgbd':
      return {
        space: as(spaces.dict({ rgb: image, depth })),
        observe: (world) => ({ rgb: painter().rgb(world, size), depth: painter().depth(world, size).data }),
      };
    case 'text':
      return { space: as(spaces.text({ maxLength: MAX_CHARACTERS })), observe: (world) => describeWorld(world) };
  }
}

/** Copies the picture of an observation, which may be a view of a buffer that the next step overwrites. */
export function copyPicture(observation: MiniWorldObservation): MiniWorldObservation {
  if (typeof observation !== 'object' || observation instanceof Float32Array) return observation;
  if ('obs' in observation) return { ...observation, obs: copyPicture(observation.obs) as View };
  return 'data' in observation ? { ...observation, data: observation.data.slice() } : observation;
}

/** The picture in an observation, if it has one. */
export function pictureOf(observation: MiniWorldObservation): RgbImage | undefined {
  if (typeof observation !== 'object' || observation instanceof Float32Array) return undefined;
  if ('obs' in observation) return pictureOf(observation.obs);
  return 'rgb' in observation ? observation.rgb : observation;
}
