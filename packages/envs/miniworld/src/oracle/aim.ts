/** Converts a task's goal to the conditions on positions and poses that the oracle searches for. */
import type { Circle, Goal } from '../tasks/task.js';
import { DROP, PICK_UP, TOGGLE } from '../world/actions.js';
import { reachesDoor } from '../world/door.js';
import type { Entity } from '../world/entity.js';
import type { Pose } from '../world/placement.js';
import { Room } from '../world/room.js';
import type { World } from '../world/world.js';

/** Distance to obstacles to avoid, in meters, with randomization: random steps deviate from the plan. */
const MARGIN = 0.15;

/** The target of a search. */
export interface Aim {
  /** True in poses at the goal. */
  readonly reached: (pose: Pose) => boolean;
  /** True at positions near which a pose may be at the goal. */
  readonly nearby: (x: number, z: number) => boolean;
  /** True at positions that are allowed on the path. */
  readonly open: (x: number, z: number) => boolean;
  /** The action to take at the goal, if any. */
  readonly last: number | undefined;
  /** Equal for the same goal at the same position, so that the distance field can be reused. */
  readonly key: string;
}

/**
 * @param careful  Keep away from what is to be avoided, and approach only positions from which the entity is in reach.
 */
export function aimOf(world: World, goal: Goal, careful: boolean): Aim {
  const { agent } = world;
  const touch = 1.1 * world.maxForwardStep;
  const everywhere = () => true;
  if (goal.kind === 'touch') {
    const { entity, avoid = [] } = goal;
    const reach = entity.radius + agent.radius + touch;
    const margin = careful && world.domainRand && avoid.length > 0 ? MARGIN : 0;
    const open = (x: number, z: number) =>
      avoid.every((obstacle) =>
        obstacle instanceof Room
          ? !obstacle.contains(x, z, margin)
          : !within(x, z, obstacle, obstacle.radius + agent.radius + touch + margin),
      );
    return {
      reached: ({ x, z }) => within(x, z, entity, reach),
      nearby: (x, z) => within(x, z, entity, reach),
      open,
      last: undefined,
      key: `touch ${place(entity)} ${margin}`,
    };
  }
  if (goal.kind === 'open') {
    const { entity: door } = goal;
    const carried = agent.carrying?.radius ?? 0;
    const reach = door.radius + agent.radius + touch + 2.1 * (agent.radius + carried + world.maxForwardStep);
    return {
      reached: (pose) => reachesDoor(world, door, pose),
      nearby: (x, z) => within(x, z, door, reach),
      open: everywhere,
      last: TOGGLE,
      key: `open ${place(door)} ${carried}`,
    };
  }
  const wanted = goal.kind === 'pick up' ? goal.entities : [goal.entity];
  const arm = (entity: Entity) => 1.05 * (agent.radius + entity.radius + world.maxForwardStep);
  if (goal.kind === 'pick up' || agent.carrying !== goal.entity) {
    const span = 2.7 * agent.radius;
    const reached = (pose: Pose) => {
      const found = world.withinGrasp(pose);
      return found !== undefined && wanted.includes(found) && (goal.kind === 'pick up' || canHold(world, found, pose));
    };
    const inReach = (x: number, z: number) => wanted.some((entity) => within(x, z, entity, span + entity.radius));
    const graspable = (x: number, z: number) =>
      inReach(x, z) && !world.intersect(agent, x, z, 0.75 * agent.radius) && headings(world, x, z).some(reached);
    return {
      reached,
      nearby: careful ? graspable : inReach,
      open: everywhere,
      last: PICK_UP,
      key: `pick up ${wanted.map(place).join(' ')} ${careful}`,
    };
  }
  if (goal.kind === 'carry to') {
    const { entity, to } = goal;
    return {
      reached: (pose) => isIn(to, ...world.carryPlace(entity, pose), 0),
      nearby: (x, z) => isIn(to, x, z, arm(entity)),
      open: everywhere,
      last: DROP,
      key: `carry to ${to instanceof Room ? to.outline.join(' ') : `${place(to)} ${to.radius}`}`,
    };
  }
  const { entity, target } = goal;
  const reach = entity.radius + target.radius + touch;
  return {
    reached: (pose) => {
      const [x, z] = world.carryPlace(entity, pose);
      return within(x, z, target, reach);
    },
    nearby: (x, z) => within(x, z, target, reach + arm(entity)),
    open: everywhere,
    last: DROP,
    key: `put next ${place(target)}`,
  };
}

type Position = Pick<Entity, 'x' | 'z'>;

const within = (x: number, z: number, position: Position, reach: number): boolean =>
  Math.sqrt((position.x - x) ** 2 + (position.z - z) ** 2) < reach;

/** Whether a point is in a room or a circle, or at most `margin` outside of it. */
const isIn = (to: Room | Circle, x: number, z: number, margin: number): boolean =>
  to instanceof Room ? to.contains(x, z, margin) : within(x, z, to, to.radius + margin);

const place = ({ x, z }: Position): string => `${x.toFixed(6)},${z.toFixed(6)}`;

/** Poses in all directions at one position, one turn or ten degrees apart. */
function headings({ agent, parameters }: World, x: number, z: number): Pose[] {
  const count = Math.min(Math.ceil(360 / parameters.turnStep.default), 36);
  return Array.from({ length: count }, (_, turn) => ({
    x,
    z,
    direction: agent.direction + (2 * Math.PI * turn) / count,
  }));
}

/**
 * A picked-up entity moves in front of the agent. If it would be inside a wall or an entity, the agent could not move.
 */
function canHold(world: World, entity: Entity, pose: Pose): boolean {
  const [x, z] = world.carryPlace(entity, pose);
  const hit = world.intersect(entity, x, z, entity.radius);
  return hit === undefined || hit === world.agent;
}
