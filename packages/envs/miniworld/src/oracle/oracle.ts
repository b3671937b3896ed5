/**
 * The expert: a nearly shortest path of steps and turns to a task's goal.
 *
 * It is A* over poses with the world's own movement rules and the walking distance as the estimate. Without
 * randomization the plan is followed to its end. With randomization the oracle plans again when the agent has left the
 * plan.
 */
import type { Goal } from '../tasks/task.js';
import { DROP, MOVE_BACK, MOVE_FORWARD, TURN_LEFT, TURN_RIGHT } from '../world/actions.js';
import { Door } from '../world/door.js';
import type { Entity } from '../world/entity.js';
import type { Pose } from '../world/placement.js';
import type { World } from '../world/world.js';
import { type Aim, aimOf } from './aim.js';
import { type DistanceField, distanceField, IndexQueue } from './distance-field.js';

/** Maximum number of searched poses; beyond it the goal counts as unreachable. */
const MAX_POSES = 40_000;
/** Grid size in meters within which positions count as equal. */
const SAME_PLACE = 0.05;
/** Weight of the estimate in the first and the second search: above 1 finds a path sooner, but it may be longer. */
const GREED = [1.15, 3] as const;
/** With randomization, a plan is dropped at this deviation from it, in meters and radians. */
const STRAY = 0.08;
const STRAY_TURN = 0.1;

interface Plan {
  readonly world: World;
  /** The world's step count at the first pose. */
  readonly startStep: number;
  /** The pose before each action. */
  readonly poses: readonly Pose[];
  readonly actions: readonly number[];
}

export class Oracle {
  #plan: Plan | undefined;
  #field: { readonly world: World; readonly key: string; readonly field: DistanceField } | undefined;

  /** The entity put down last because no path led to a goal with it. */
  #dropped: { readonly entity: Entity; readonly step: number; readonly goal: Goal & { kind: 'touch' } } | undefined;

  /** The reason why the last call of `next` gave no action, for people who play. */
  reason: string | undefined;

  /** The next action toward the goal; `undefined` if no path leads there. */
  next(world: World, given: Goal | undefined): number | undefined {
    this.reason = undefined;
    if (!given) {
      this.reason = 'this world has no goal';
      return undefined;
    }
    const goal = keyFirst(world, given);
    const { carrying } = world.agent;
    if (carrying && !mayCarry(goal, carrying)) return DROP;
    if (this.#isAsked(world, goal)) return undefined;
    const known = this.#follow(world);
    if (known !== undefined) return known;
    const { aim, plan } = this.#plans(world, goal);
    const straight = plan && straightPlan(world, goal, aim);
    // Of equally short paths, take the one that faces the goal first: its actions can be inferred from the pictures.
    this.#plan = straight && straight.actions.length <= plan.actions.length ? straight : plan;
    if (this.#plan === undefined && goal.kind === 'touch' && carrying) {
      this.#dropped = { entity: carrying, step: world.stepCount, goal };
      return DROP; // it stands in the way
    }
    if (this.#plan === undefined) this.reason = noPath(world, goal);
    return this.#plan?.actions[0];
  }

  /** True if the task asks for the entity that was just put down: both would alternate until the time limit. */
  #isAsked(world: World, goal: Goal): boolean {
    const dropped = this.#dropped;
    if (!dropped || goal.kind !== 'pick up' || dropped.step + 1 !== world.stepCount) return false;
    if (!goal.entities.includes(dropped.entity)) return false;
    const [held, target] = [dropped.entity.label, dropped.goal.entity.label];
    this.reason = `no path leads to ${target} while you carry ${held}, and the task asks for it again when it was put down`;
    return true;
  }

  forget(): void {
    this.#dropped = undefined;
    this.#plan = undefined;
    this.#field = undefined;
  }

  #follow(world: World): number | undefined {
    const plan = this.#plan;
    if (plan?.world !== world) return undefined;
    const { x, z, direction } = world.agent;
    const index = world.stepCount - plan.startStep;
    const expected = plan.poses[index];
    if (!expected) return undefined;
    const [gap, turn] = world.domainRand ? [STRAY, STRAY_TURN] : [1e-9, 1e-9];
    const isInPlace = Math.abs(x - expected.x) < gap && Math.abs(z - expected.z) < gap;
    return isInPlace && Math.abs(direction - expected.direction) < turn ? plan.actions[index] : undefined;
  }

  /** Prefers a careful plan. Allows steps back if a carried entity is stuck in a corner. */
  #plans(world: World, goal: Goal): { readonly aim: Aim; readonly plan: Plan | undefined } {
    const careful = aimOf(world, goal, true);
    const bold = aimOf(world, goal, false);
    for (const aim of careful.key === bold.key ? [bold] : [careful, bold]) {
      for (const greed of GREED) {
        const plan = this.#search(world, aim, greed);
        if (plan) return { aim, plan };
      }
    }
    return { aim: bold, plan: world.agent.carrying && this.#search(world, bold, GREED[1], true) };
  }

  #search(world: World, aim: Aim, greed: number, back = false): Plan | undefined {
    const { agent } = world;
    const field = this.#fieldFor(world, aim);
    const forward = world.parameters.forwardStep.default;
    const degrees = world.parameters.turnStep.default;
    const headings = Math.max(1, Math.round(360 / degrees));
    const start: Pose = { x: agent.x, z: agent.z, direction: agent.direction };
    const nodes: { pose: Pose; action: number; parent: number; steps: number }[] = [];
    const best = new Map<number, number>();
    const queue = new IndexQueue();
    const add = (pose: Pose | undefined, action: number, parent: number, steps: number) => {
      if (!pose || !aim.open(pose.x, pose.z)) return;
      const estimate = field.at(pose.x, pose.z) / forward;
      if (estimate === Number.POSITIVE_INFINITY) return;
      const turns = Math.round((pose.direction - start.direction) / (degrees * (Math.PI / 180)));
      const heading = ((turns % headings) + headings) % headings;
      const key = (Math.round(pose.x / SAME_PLACE) * 1e5 + Math.round(pose.z / SAME_PLACE)) * headings + heading;
      if ((best.get(key) ?? Number.POSITIVE_INFINITY) <= steps) return;
      best.set(key, steps);
      nodes.push({ pose, action, parent, steps });
      queue.push(nodes.length - 1, steps + greed * estimate);
    };
    const { carrying } = agent;
    const held = carrying && { x: carrying.x, z: carrying.z };
    add(start, -1, -1, 0);
    try {
      for (let index = queue.pop(); index !== undefined && nodes.length < MAX_POSES; index = queue.pop()) {
        const { pose, steps } = nodes[index]!;
        // Move the agent and what it carries to the searched pose, because each blocks the other at its position.
        agent.x = pose.x;
        agent.z = pose.z;
        if (carrying) [carrying.x, carrying.z] = world.carryPlace(carrying, pose);
        if (aim.reached(pose)) return planTo(world, nodes, index, aim.last);
        add(world.moved(pose, forward), MOVE_FORWARD, index, steps + 1);
        if (back) add(world.moved(pose, -forward), MOVE_BACK, index, steps + 1);
        add(world.turned(pose, degrees), TURN_LEFT, index, steps + 1);
        add(world.turned(pose, -degrees), TURN_RIGHT, index, steps + 1);
      }
    } finally {
      Object.assign(agent, { x: start.x, z: start.z });
      if (carrying) Object.assign(carrying, held);
    }
    return undefined;
  }

  #fieldFor(world: World, { key, nearby, open }: Aim): DistanceField {
    const full = `${key} ${doorsOf(world)}`;
    if (this.#field?.world !== world || this.#field.key !== full) {
      this.#field = { world, key: full, field: distanceField(world, nearby, open) };
    }
    return this.#field.field;
  }
}

/** A locked door needs its key first. */
function keyFirst({ agent }: World, goal: Goal): Goal {
  if (goal.kind !== 'open') return goal;
  const { key, isLocked } = goal.entity;
  return key === undefined || !isLocked || agent.carrying === key ? goal : { kind: 'pick up', entities: [key] };
}

/** An entity in hand may stay there while the agent touches another one. */
function mayCarry(goal: Goal, carried: Entity): boolean {
  if (goal.kind === 'touch') return carried !== goal.entity;
  if (goal.kind === 'open') return !goal.entity.isLocked || goal.entity.key === carried;
  return goal.kind !== 'pick up' && carried === goal.entity;
}

const closedDoors = ({ entities }: World) => entities.filter((entity): entity is Door => entity instanceof Door && !entity.isOpen); // biome-ignore format: one line
const doorsOf = (world: World) => closedDoors(world).map(({ x, z }) => `${x},${z}`).join(' '); // biome-ignore format: one line

const VERBS = {
  touch: 'leads to',
  'pick up': 'leads to a place where the agent can pick up',
  'put next': 'leads to a place to put down',
  'carry to': 'leads to a place to put down',
  open: 'leads to',
} as const satisfies Record<Goal['kind'], string>;

function noPath(world: World, goal: Goal): string {
  const { carrying } = world.agent;
  const wanted = goal.kind === 'pick up' ? goal.entities : [goal.entity];
  const closed = closedDoors(world).filter((door) => !wanted.includes(door));
  const facts = [
    ...(carrying ? [`while you carry ${carrying.label}`] : []),
    ...(closed.length > 0 ? [`past ${closed.map(({ label }) => label).join(' and ')}`] : []),
  ];
  const names = wanted.map(({ label }) => label).join(' or ') || 'nothing';
  return [`no path ${VERBS[goal.kind]} ${names}`, ...facts].join(' ');
}

/** Turns to the goal, then walks; `undefined` if that does not reach it. */
function straightPlan(world: World, goal: Goal, { reached, open, last }: Aim): Plan | undefined {
  const { agent } = world;
  if (agent.carrying) return undefined;
  const forward = world.parameters.forwardStep.default;
  const degrees = world.parameters.turnStep.default;
  const distance = ({ x, z }: Entity) => Math.hypot(x - agent.x, z - agent.z);
  const wanted = goal.kind === 'pick up' ? goal.entities : [goal.entity];
  const [target] = [...wanted].sort((a, b) => distance(a) - distance(b));
  if (!target) return undefined;
  const bearing = Math.atan2(-(target.z - agent.z), target.x - agent.x) - agent.direction;
  const turns = Math.round((Math.atan2(Math.sin(bearing), Math.cos(bearing)) * 180) / Math.PI / degrees);

  const poses: Pose[] = [{ x: agent.x, z: agent.z, direction: agent.direction }];
  const actions: number[] = [];
  const go = (pose: Pose | undefined, action: number): boolean => {
    if (!pose || !open(pose.x, pose.z)) return false;
    poses.push(pose);
    actions.push(action);
    return true;
  };
  const here = () => poses.at(-1)!;
  for (let turn = 0; turn < Math.abs(turns); turn += 1) {
    const left = turns > 0;
    if (!go(world.turned(here(), left ? degrees : -degrees), left ? TURN_LEFT : TURN_RIGHT)) return undefined;
  }
  while (!reached(here())) {
    if (actions.length > MAX_POSES || !go(world.moved(here(), forward), MOVE_FORWARD)) return undefined;
  }
  if (last !== undefined) actions.push(last);
  if (actions.length === 0) return undefined;
  return { world, startStep: world.stepCount, poses: poses.slice(0, actions.length), actions };
}

function planTo(
  world: World,
  nodes: readonly { pose: Pose; action: number; parent: number }[],
  goal: number,
  last: number | undefined,
): Plan | undefined {
  const poses: Pose[] = last === undefined ? [] : [nodes[goal]!.pose];
  const actions: number[] = last === undefined ? [] : [last];
  for (let index = goal; nodes[index]!.parent >= 0; index = nodes[index]!.parent) {
    const { action, parent } = nodes[index]!;
    actions.unshift(action);
    poses.unshift(nodes[parent]!.pose);
  }
  // The goal is already reached: the task notices after any step.
  const startStep = world.stepCount;
  if (actions.length === 0) return { world, startStep, poses: [nodes[goal]!.pose], actions: [TURN_LEFT] };
  return { world, startStep, poses, actions };
}
