/** What the oracle's search is after: from a task's goal to conditions on places and poses. */
import type { Goal } from '../tasks/task.js';
import type { Entity } from '../world/entity.js';
import { Room } from '../world/room.js';
import { DROP, PICK_UP, type Pose, type World } from '../world/world.js';

/** With randomization, meters kept from what is to be avoided: a plan is followed by and by, a step leads aside. */
const MARGIN = 0.15;

/** What to reach: a condition on poses, where it holds roughly, and what to do there. */
export interface Aim {
  readonly reached: (pose: Pose) => boolean;
  readonly nearby: (x: number, z: number) => boolean;
  readonly open: (x: number, z: number) => boolean;
  readonly last: number | undefined;
  /** Same for the same goal in the same place: the estimate is kept. */
  readonly key: string;
}

/** @param careful  Away from what is to be avoided, and only towards places that a hand reaches the thing from. */
export function aimOf(world: World, goal: Goal, careful: boolean): Aim {
  const { agent } = world;
  const touch = 1.1 * world.maxForwardStep;
  const everywhere = () => true;
  if (goal.kind === 'touch') {
    const { entity, avoid = [] } = goal;
    const reach = entity.radius + agent.radius + touch;
    const margin = careful && world.domainRand && avoid.length > 0 ? MARGIN : 0;
    const open = (x: number, z: number) =>
      avoid.every((each) =>
        each instanceof Room
          ? !each.contains(x, z, margin)
          : !within(x, z, each, each.radius + agent.radius + touch + margin),
      );
    return {
      reached: ({ x, z }) => within(x, z, entity, reach),
      nearby: (x, z) => within(x, z, entity, reach),
      open,
      last: undefined,
      key: `touch ${place(entity)} ${margin}`,
    };
  }
  const wanted = goal.kind === 'pick up' ? goal.entities : [goal.entity];
  if (goal.kind === 'pick up' || agent.carrying !== goal.entity) {
    const span = 2.7 * agent.radius;
    const reached = (pose: Pose) => {
      const found = world.withinGrasp(pose);
      return found !== undefined && wanted.includes(found) && (goal.kind === 'pick up' || canHold(world, found, pose));
    };
    const near = (x: number, z: number) => wanted.some((entity) => within(x, z, entity, span + entity.radius));
    const graspable = (x: number, z: number) =>
      near(x, z) && !world.intersect(agent, x, z, 0.75 * agent.radius) && headings(world, x, z).some(reached);
    return {
      reached,
      nearby: careful ? graspable : near,
      open: everywhere,
      last: PICK_UP,
      key: `pick up ${wanted.map(place).join(' ')} ${careful}`,
    };
  }
  const { entity, target } = goal;
  const reach = entity.radius + target.radius + touch;
  const arm = 1.05 * (agent.radius + entity.radius + world.maxForwardStep);
  return {
    reached: (pose) => {
      const [x, z] = world.carryPlace(entity, pose);
      return within(x, z, target, reach);
    },
    nearby: (x, z) => within(x, z, target, reach + arm),
    open: everywhere,
    last: DROP,
    key: `put next ${place(target)}`,
  };
}

const within = (x: number, z: number, entity: Entity, reach: number): boolean =>
  Math.sqrt((entity.x - x) ** 2 + (entity.z - z) ** 2) < reach;

const place = ({ x, z }: Entity): string => `${x.toFixed(6)},${z.toFixed(6)}`;

/** Poses all around at one place, a turn or ten degrees apart. */
function headings({ agent, parameters }: World, x: number, z: number): Pose[] {
  const count = Math.min(Math.ceil(360 / parameters.turnStep.default), 36);
  return Array.from({ length: count }, (_, turn) => ({
    x,
    z,
    direction: agent.direction + (2 * Math.PI * turn) / count,
  }));
}

/** What is picked up moves into the hands: where these are inside a wall or a thing, no step and no turn is possible. */
function canHold(world: World, entity: Entity, pose: Pose): boolean {
  const [x, z] = world.carryPlace(entity, pose);
  const hit = world.intersect(entity, x, z, entity.radius);
  return hit === undefined || hit === world.agent;
}
