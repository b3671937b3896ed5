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
  type Object3D,
  PerspectiveCamera,
  Scene,
} from 'three';
import type { Game } from '../engine/game.js';
import { Play } from '../engine/play.js';
import { Household } from '../experts/household.js';
import { type FloorPlan, floorPlan, type Origin } from './floor-plan.js';
import { footprintsOf } from './footprints.js';
import { ON_TABLES } from './furniture-area.js';
import {
  type Cast,
  DIMENSIONS,
  type EffectName,
  effectCast,
  objectCast,
  plainCast,
  receptacleCast,
  shadowCast,
} from './gallery.js';
import { type Piece, type Receptacle, type Stand, toLocal } from './geometry.js';
import { FITTINGS } from './models/index.js';
import type { ObjectLook } from './models/object-look.js';
import { type Placement, Placements, type Shadow } from './placement.js';
import { floor, walls } from './room-shell.js';
import { EYE, FIELD_OF_VIEW } from './sight.js';

const [NEAR, FAR] = [0.04, 40];
/** Position of a held object's middle: fractions of half the picture from its middle, and meters ahead of the eye. */
const HAND = { right: 0.6, down: 0.6, ahead: 0.2 } as const;
/** Largest size of a held object, meters; a fifth of the picture. */
const MAX_HELD_SIZE = 0.048;
const HALF_HEIGHT = Math.tan((FIELD_OF_VIEW * Math.PI) / 360) * HAND.ahead;
/** Effects around a held object are smaller than around one that lies somewhere. */
const HELD_EFFECT = 0.85;
/** Height of shadows above the table, in meters. */
const SHADOW_HEIGHT = 0.0015;
/** Minimum height of an object with a shadow, in meters. */
const MIN_SHADOW_HEIGHT = 0.02;
/** How far shadows of objects spread: meters, and per meter of their height. */
const SHADOW_SPREAD = { least: 0.004, perHeight: 0.4, most: 0.03 } as const;

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

  constructor(game: Game, origin: Origin) {
    this.#plan = floorPlan(game, origin, DIMENSIONS);
    const numbers = [...this.#plan.receptacles, ...this.#plan.things].map(({ number }) => number);
    // Objects without facts have no name in the game: they are scenery, like walls.
    const named = numbers.filter((number) => game.names[number] !== game.world.ids[number]);
    this.names = new Map(named.map((number) => [number + 1, game.names[number]!]));
    this.#placements = new Placements(this.#plan, new Household(new Play(game)), DIMENSIONS);
    this.scene.matrixAutoUpdate = false;
    this.scene.background = new Color().setRGB(0.85, 0.87, 0.9);
    this.scene.add(...lights(), this.#lamplight, this.#shell, this.#hand);
    const footprints = footprintsOf(this.#plan, DIMENSIONS);
    const parts = this.#plan.rooms.flatMap((room) => [walls(room, this.#plan), floor(room, footprints)]);
    for (const part of parts) addCast(this.#shell, part, 'plain');
    this.room = parts.flatMap(({ lit, glowing }) => [lit, glowing].filter((geometry) => geometry !== undefined));
    freezeMatrices(this.#shell);
    for (const receptacle of this.#plan.receptacles) {
      const shown = { object: new Group(), key: '' };
      stand(shown.object, receptacle.x, 0, receptacle.z, (-receptacle.facing * Math.PI) / 2);
      shown.object.userData.instanceId = receptacle.number + 1;
      this.#receptacles.set(receptacle.number, shown);
      const shadow = this.#machineShadow(receptacle);
      if (shadow) this.scene.add(shadow);
    }
    this.#fixedCount = this.scene.children.length;
    for (const thing of this.#plan.things) {
      const object = new Group();
      if (this.names.has(thing.number + 1)) object.userData.instanceId = thing.number + 1;
      this.#things.set(thing.number, { object, key: '' });
    }
  }

  /** The shadow of a machine on the table below it. */
  #machineShadow(machine: Receptacle): Mesh | undefined {
    if (!['coffeemachine', 'microwave', 'toaster'].includes(machine.kind)) return undefined;
    for (const table of this.#plan.receptacles) {
      const { y, at, size, tone } = DIMENSIONS.restOf(table, true);
      const [x, z] = toLocal(table, table.facing, machine);
      const reach = Math.min(size[0] / 2 - Math.abs(x - at[0]), size[1] / 2 - Math.abs(z - at[1])) + 0.06;
      if (tone === undefined || ON_TABLES.has(table.kind) || Math.abs(y - machine.y) > 0.08 || reach < 0.06) continue;
      const [width, , depth] = receptacleCast(machine, false).size;
      const shadow = new Mesh(shadowCast(tone, 'square').lit, LIT.plain);
      shadow.userData.instanceId = table.number + 1;
      stand(shadow, machine.x, y + SHADOW_HEIGHT / 2, machine.z, (-machine.facing * Math.PI) / 2);
      shadow.scale.set(Math.min(width / 2 + 0.05, reach + 0.1), 1, Math.min(depth / 2 + 0.05, reach));
      freezeMatrices(shadow);
      return shadow;
    }
    return undefined;
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
    const cast = objectCast(thing.kind, look) ?? (this.#plan.isMade ? plainCast(thing.kind) : undefined);
    const model = placement.kind === 'hidden' ? undefined : cast;
    if (!model) return true;
    addCast(object, model, temperature);
    const share = 'x' in placement ? 1 : HELD_EFFECT;
    if (temperature === 'hot') object.add(effect('steam', model, share));
    if (temperature === 'cool') object.add(effect('frost', model, share));
    if (isClean) object.add(effect('sparkle', model, share));
    if ('x' in placement) {
      if (placement.shadow && model.size[1] > MIN_SHADOW_HEIGHT) addShadow(object, model, placement.shadow);
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
    const { rooms } = this.#plan;
    const { low, high } = rooms.find((room) => room.low[0] <= x && x <= room.high[0]) ?? rooms[0]!;
    const distances = [z - low[1], high[0] - x, high[1] - z, x - low[0]];
    return (-distances.indexOf(Math.min(...distances)) * Math.PI) / 2;
  }

  #aim(at: Stand | undefined): void {
    if (!at) return;
    this.camera.position.set(at.x, EYE, at.z);
    this.camera.rotation.set((-at.pitch * Math.PI) / 180, (-at.facing * Math.PI) / 2, 0, 'YXZ');
    this.#hand.position.copy(this.camera.position);
    this.#hand.quaternion.copy(this.camera.quaternion);
    this.#hand.translateX(HAND.right * HALF_HEIGHT * this.camera.aspect);
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

/** @param share  Fraction of the default size. */
function effect(name: EffectName, { size: [width, height, depth] }: Cast, share: number): Group {
  const group = new Group();
  addCast(group, effectCast(name), 'plain');
  const scale = share * Math.max(0.1, Math.min(0.25, Math.max(width, depth)));
  const above = name === 'steam' ? height : Math.max(0, height - scale) / 2;
  group.position.set(0, above, name === 'steam' ? 0 : Math.max(0, depth / 2 - scale * 0.4));
  group.scale.setScalar(scale);
  return group;
}

/** A disc below an object, part of the receptacle as far as instances are concerned. */
function addShadow(object: Group, { size: [width, height, depth] }: Cast, { on, tone, reach }: Shadow): void {
  const shadow = new Mesh(shadowCast(tone, 'disc').lit, LIT.plain);
  shadow.userData.instanceId = on + 1;
  shadow.position.set(0, SHADOW_HEIGHT, 0);
  const { least, perHeight, most } = SHADOW_SPREAD;
  const spread = Math.min(most, least + perHeight * height);
  const radius = (side: number) => Math.max(0.01, Math.min(side / 2 + spread, reach));
  shadow.scale.set(radius(width), 1, radius(depth));
  object.add(shadow);
}

/** Places a held object in the lower right corner of the view, tilted to show its top. */
function hold(object: Group, { size }: Cast): void {
  const scale = Math.min(1.2, MAX_HELD_SIZE / Math.max(...size));
  object.position.set(0, -HAND.down * HALF_HEIGHT - (size[1] * scale) / 2, -HAND.ahead);
  object.rotation.set(0.5, 0.3, 0);
  object.scale.setScalar(scale);
}

/** Computes matrices once: almost nothing moves between two frames. */
function freezeMatrices(object: Object3D): void {
  object.traverse((descendant) => {
    descendant.matrixAutoUpdate = false;
    descendant.updateMatrix();
  });
}

function stand(object: Object3D, x: number, y: number, z: number, turn: number): void {
  object.position.set(x, y, z);
  object.rotation.set(0, turn, 0);
  object.scale.setScalar(1);
}
