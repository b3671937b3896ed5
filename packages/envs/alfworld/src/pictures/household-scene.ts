/**
 * A game as a three.js scene: the room, furniture and objects in their current state, and the camera at the agent's eye.
 *
 * Camera after `docs/specs/alfworld.md` 18.2: 1.65 m above the floor, 60 degrees from bottom to top, turned in
 * quarters and tilted by the horizon of where the agent stands.
 */
import {
  AmbientLight,
  type BufferGeometry,
  Color,
  DirectionalLight,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PerspectiveCamera,
  Scene,
} from 'three';
import type { Game } from '../engine/game.js';
import { Play } from '../engine/play.js';
import { Household } from '../experts/household.js';
import { type FloorPlan, floorPlan } from './floor-plan.js';
import { type Cast, DIMENSIONS, type EffectName, effectCast, objectCast, receptacleCast } from './gallery.js';
import type { Piece, Stand } from './geometry.js';
import { FITTINGS } from './models/index.js';
import type { ObjectLook } from './models/object-look.js';
import { type Placement, Placements } from './placement.js';
import { floor, walls } from './room-shell.js';
import { EYE, FIELD_OF_VIEW } from './sight.js';

const [NEAR, FAR] = [0.04, 40];
/** Position of a held object relative to the eye, and its largest size, meters. */
const HAND = [0, -0.08, -0.2] as const;
const MAX_HELD_SIZE = 0.065;

const paint = (red: number, green: number, blue: number) => ({
  color: new Color().setRGB(red, green, blue),
  vertexColors: true,
});
const LIT = {
  plain: new MeshLambertMaterial(paint(1, 1, 1)),
  hot: new MeshLambertMaterial({ ...paint(1, 0.88, 0.84), emissive: new Color().setRGB(0.2, 0.03, 0) }),
  cool: new MeshLambertMaterial({ ...paint(0.8, 0.9, 1), emissive: new Color().setRGB(0, 0.09, 0.22) }),
};
const GLOWING = new MeshBasicMaterial(paint(1, 1, 1));

/** Material of an object: heat and cold change its colors. */
type Temperature = keyof typeof LIT;

interface DrawnObject {
  readonly object: Group;
  /** The state for which it was built. */
  key: string;
}

export class HouseholdScene {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, NEAR, FAR);
  /** Instance id → name in the game, e.g. `mug 2`, for every object that has a name and a position, visible or not. */
  readonly names: ReadonlyMap<number, string>;
  readonly #placements: Placements;
  readonly #plan: FloorPlan;
  readonly #hand = new Group();
  readonly #shell = new Group();
  /** Light of all lamps that are on. */
  readonly #lamplight = new AmbientLight(new Color().setRGB(0.16, 0.12, 0.03), Math.PI);
  readonly #receptacles = new Map<number, DrawnObject>();
  readonly #things = new Map<number, DrawnObject>();
  /** Geometries of floor and walls, which no other household shares. */
  readonly room: readonly BufferGeometry[];
  /** Number of children of the scene that never change. */
  readonly #fixedCount: number;

  /** @param isMade  The game comes from our generator. */
  constructor(game: Game, isMade: boolean) {
    this.#plan = floorPlan(game, isMade, DIMENSIONS);
    const numbers = [...this.#plan.receptacles, ...this.#plan.things].map(({ number }) => number);
    // Objects without facts have no name in the game: they are scenery, like walls.
    const named = numbers.filter((number) => game.names[number] !== game.world.ids[number]);
    this.names = new Map(named.map((number) => [number + 1, game.names[number]!]));
    this.#placements = new Placements(this.#plan, new Household(new Play(game)), DIMENSIONS);
    this.scene.matrixAutoUpdate = false;
    this.scene.background = new Color().setRGB(0.85, 0.87, 0.9);
    this.scene.add(...lights(), this.#lamplight, this.#shell, this.#hand);
    this.#fixedCount = this.scene.children.length;
    const parts = [walls(this.#plan), floor(this.#plan)];
    for (const part of parts) addCast(this.#shell, part, 'plain');
    this.room = parts.flatMap(({ lit, glowing }) => [lit, glowing].filter((geometry) => geometry !== undefined));
    freezeMatrices(this.#shell);
    for (const receptacle of this.#plan.receptacles) {
      const shown = { object: new Group(), key: '' };
      stand(shown.object, receptacle.x, 0, receptacle.z, (-receptacle.facing * Math.PI) / 2);
      shown.object.userData.instanceId = receptacle.number + 1;
      this.#receptacles.set(receptacle.number, shown);
    }
    for (const thing of this.#plan.things) {
      const object = new Group();
      if (this.names.has(thing.number + 1)) object.userData.instanceId = thing.number + 1;
      this.#things.set(thing.number, { object, key: '' });
    }
  }

  /** Updates everything to the state of a play of this game. */
  update(play: Play): void {
    const house = new Household(play);
    let isChanged = false;
    for (const receptacle of this.#plan.receptacles) {
      const isOpen = !house.isClosed(receptacle.number);
      const shown = this.#receptacles.get(receptacle.number)!;
      if (shown.key === String(isOpen)) continue;
      shown.key = String(isOpen);
      shown.object.clear();
      addCast(shown.object, receptacleCast(receptacle, isOpen), 'plain');
      freezeMatrices(shown.object);
      isChanged = true;
    }
    const placements = this.#placements.at(play);
    for (const [index, thing] of this.#plan.things.entries()) {
      if (this.#updateThing(thing, placements[index]!, house)) isChanged = true;
    }
    this.#lamplight.visible = this.#plan.things.some(({ number }) => house.is('istoggled', number));
    if (isChanged) this.#sortChildren();
    this.#aim(this.#plan.stands.get(house.location ?? -1));
  }

  /** Sorts the scene by state alone, because of two faces in one plane the first is visible. */
  #sortChildren(): void {
    const objects = [...this.#receptacles.values(), ...this.#things.values()].flatMap(({ object }) =>
      object.children.length > 0 && object.parent !== this.#hand ? [object] : [],
    );
    this.scene.children.splice(this.#fixedCount, Number.POSITIVE_INFINITY, ...objects);
  }

  /** @returns Whether it looks different now. */
  #updateThing(thing: Piece, placement: Placement, house: Household): boolean {
    const shown = this.#things.get(thing.number)!;
    const look: ObjectLook = {
      sliced: house.is('issliced', thing.number),
      hanging: placement.kind === 'hanging',
      lit: house.is('istoggled', thing.number),
    };
    const temperature: Temperature = house.is('ishot', thing.number)
      ? 'hot'
      : house.is('iscool', thing.number)
        ? 'cool'
        : 'plain';
    const isClean = house.is('isclean', thing.number);
    const position = 'x' in placement ? `${placement.x} ${placement.y} ${placement.z}` : '';
    const key = `${placement.kind} ${position} ${look.sliced} ${look.lit} ${temperature} ${isClean}`;
    if (key === shown.key) return false;
    shown.key = key;
    const { object } = shown;
    object.removeFromParent();
    object.clear();
    const model = placement.kind === 'hidden' ? undefined : objectCast(thing.kind, look);
    if (!model) return true;
    addCast(object, model, temperature);
    if (temperature === 'hot') object.add(effect('steam', model));
    if (temperature === 'cool') object.add(effect('frost', model));
    if (isClean) object.add(effect('sparkle', model));
    if ('x' in placement) {
      const isOnWall = placement.kind === 'loose' && Object.hasOwn(FITTINGS, thing.kind);
      stand(object, placement.x, placement.y, placement.z, isOnWall ? this.#wallTurn(thing) : placement.turn);
    } else {
      hold(object, model);
      this.#hand.add(object);
    }
    freezeMatrices(object);
    return true;
  }

  /** Objects on walls face away from the nearest wall. */
  #wallTurn({ x, z }: Piece): number {
    const { low, high } = this.#plan;
    const distances = [z - low[1], high[0] - x, high[1] - z, x - low[0]];
    return (-distances.indexOf(Math.min(...distances)) * Math.PI) / 2;
  }

  #aim(at: Stand | undefined): void {
    if (!at) return;
    this.camera.position.set(at.x, EYE, at.z);
    this.camera.rotation.set((-at.pitch * Math.PI) / 180, (-at.facing * Math.PI) / 2, 0, 'YXZ');
    this.#hand.position.copy(this.camera.position);
    this.#hand.quaternion.copy(this.camera.quaternion);
  }
}

/** Three suns from fixed directions, so that every face of a box has a different shade. */
function lights() {
  const white = (strength: number) => new Color().setRGB(strength, strength, strength);
  const sun = (strength: number, x: number, y: number, z: number) => {
    const light = new DirectionalLight(white(strength), Math.PI);
    light.position.set(x, y, z);
    return light;
  };
  return [
    new AmbientLight(white(0.7), Math.PI),
    sun(0.24, 0.3, 1, 0.2),
    sun(0.16, -0.5, 0.1, 1),
    sun(0.1, 0.6, 0.1, -0.9),
  ];
}

function addCast(group: Group, { lit, glowing }: Cast, temperature: Temperature): void {
  if (lit) group.add(new Mesh(lit, LIT[temperature]));
  if (glowing) group.add(new Mesh(glowing, GLOWING));
}

function effect(name: EffectName, { size: [width, height, depth] }: Cast): Group {
  const group = new Group();
  addCast(group, effectCast(name), 'plain');
  const scale = Math.max(0.12, Math.min(0.3, Math.max(width, depth)));
  const above = name === 'steam' ? height : Math.max(0, height - scale) / 2;
  group.position.set(0, above, name === 'steam' ? 0 : Math.max(0, depth / 2 - scale * 0.4));
  group.scale.setScalar(scale);
  return group;
}

/** Places a held object in the lower middle of the view, tilted to show its top. */
function hold(object: Group, { size }: Cast): void {
  const scale = Math.min(1.2, MAX_HELD_SIZE / Math.max(...size));
  object.position.set(HAND[0], HAND[1] - (size[1] * scale) / 2, HAND[2]);
  object.rotation.set(0.5, 0.3, 0);
  object.scale.setScalar(scale);
}

/** Computes matrices once: almost nothing moves between two frames. */
function freezeMatrices(object: Group): void {
  object.traverse((descendant) => {
    descendant.matrixAutoUpdate = false;
    descendant.updateMatrix();
  });
}

function stand(object: Group, x: number, y: number, z: number, turn: number): void {
  object.position.set(x, y, z);
  object.rotation.set(0, turn, 0);
  object.scale.setScalar(1);
}
