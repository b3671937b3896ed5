/**
 * A game as a three.js scene: the room, its furniture and things as they are now, and the agent's eye.
 *
 * Camera after `docs/specs/alfworld.md` 18.2: 1.65 m above the floor, 60 degrees from bottom to top, turned in
 * quarters and tilted by the horizon of where the agent stands.
 */
import {
  AmbientLight,
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
import { type FloorPlan, floorPlan, type Piece, type Stand } from './floor-plan.js';
import { type Cast, DIMENSIONS, type EffectName, effectCast, objectCast, receptacleCast } from './gallery.js';
import { FITTINGS } from './models/index.js';
import type { ObjectLook } from './models/object-look.js';
import { floor, walls } from './room-shell.js';
import { EYE, FIELD_OF_VIEW } from './sight.js';
import { Places, type Whereabouts } from './whereabouts.js';

const [NEAR, FAR] = [0.04, 40];
/** Where a held thing is before the eye, and how large it is drawn at most, meters. */
const HAND = [0, -0.08, -0.2] as const;
const HELD_SIZE = 0.065;

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

/** What heat and cold do to colors. */
type Temper = keyof typeof LIT;

interface Shown {
  readonly object: Group;
  /** What it was made for. */
  key: string;
}

export class HouseholdScene {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, NEAR, FAR);
  /** Instance id → name as the game has it, `mug 2`, for every object that has a name and a place, seen or not. */
  readonly names: ReadonlyMap<number, string>;
  readonly #places: Places;
  readonly #plan: FloorPlan;
  readonly #hand = new Group();
  readonly #shell = new Group();
  /** Of lamps that are on. */
  readonly #lamplight = new AmbientLight(new Color().setRGB(0.16, 0.12, 0.03), Math.PI);
  readonly #receptacles = new Map<number, Shown>();
  readonly #things = new Map<number, Shown>();
  /** How many children of the scene never change. */
  readonly #fixed: number;

  /** @param isMade  The game comes from our generator. */
  constructor(game: Game, isMade: boolean) {
    this.#plan = floorPlan(game, isMade, DIMENSIONS);
    const numbers = [...this.#plan.receptacles, ...this.#plan.things].map(({ number }) => number);
    // what no fact is about has no name in the game: it is scenery, as walls are
    const named = numbers.filter((number) => game.names[number] !== game.world.ids[number]);
    this.names = new Map(named.map((number) => [number + 1, game.names[number]!]));
    this.#places = new Places(this.#plan, new Household(new Play(game)), DIMENSIONS);
    this.scene.matrixAutoUpdate = false;
    this.scene.background = new Color().setRGB(0.85, 0.87, 0.9);
    this.scene.add(...lights(), this.#lamplight, this.#shell, this.#hand);
    this.#fixed = this.scene.children.length;
    for (const made of [walls(this.#plan), floor(this.#plan)]) addCast(this.#shell, made, 'plain');
    settle(this.#shell);
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

  /** Brings everything to the state of a play of this game. */
  update(play: Play): void {
    const house = new Household(play);
    let isOther = false;
    for (const receptacle of this.#plan.receptacles) {
      const isOpen = !house.isClosed(receptacle.number);
      const shown = this.#receptacles.get(receptacle.number)!;
      if (shown.key === String(isOpen)) continue;
      shown.key = String(isOpen);
      shown.object.clear();
      addCast(shown.object, receptacleCast(receptacle, isOpen), 'plain');
      settle(shown.object);
      isOther = true;
    }
    const whereabouts = this.#places.whereabouts(play);
    for (const [index, thing] of this.#plan.things.entries()) {
      if (this.#show(thing, whereabouts[index]!, house)) isOther = true;
    }
    this.#lamplight.visible = this.#plan.things.some(({ number }) => house.is('istoggled', number));
    if (isOther) this.#putInOrder();
    this.#aim(this.#plan.stands.get(house.location ?? -1));
  }

  /** An order that follows from the state, whatever came before: of two faces in one plane the first is seen. */
  #putInOrder(): void {
    const objects = [...this.#receptacles.values(), ...this.#things.values()].flatMap(({ object }) =>
      object.children.length > 0 && object.parent !== this.#hand ? [object] : [],
    );
    this.scene.children.splice(this.#fixed, Number.POSITIVE_INFINITY, ...objects);
  }

  /** @returns Whether it looks otherwise than before. */
  #show(thing: Piece, where: Whereabouts, house: Household): boolean {
    const shown = this.#things.get(thing.number)!;
    const look: ObjectLook = {
      sliced: house.is('issliced', thing.number),
      hanging: where.kind === 'hanging',
      lit: house.is('istoggled', thing.number),
    };
    const temper: Temper = house.is('ishot', thing.number)
      ? 'hot'
      : house.is('iscool', thing.number)
        ? 'cool'
        : 'plain';
    const isClean = house.is('isclean', thing.number);
    const place = 'x' in where ? `${where.x} ${where.y} ${where.z}` : '';
    const key = `${where.kind} ${place} ${look.sliced} ${look.lit} ${temper} ${isClean}`;
    if (key === shown.key) return false;
    shown.key = key;
    const { object } = shown;
    object.removeFromParent();
    object.clear();
    const made = where.kind === 'hidden' ? undefined : objectCast(thing.kind, look);
    if (!made) return true;
    addCast(object, made, temper);
    if (temper === 'hot') object.add(effect('steam', made));
    if (temper === 'cool') object.add(effect('frost', made));
    if (isClean) object.add(effect('sparkle', made));
    if ('x' in where) {
      const turn = where.kind === 'loose' && Object.hasOwn(FITTINGS, thing.kind) ? this.#wallTurn(thing) : where.turn;
      stand(object, where.x, where.y, where.z, turn);
    } else {
      hold(object, made);
      this.#hand.add(object);
    }
    settle(object);
    return true;
  }

  /** Things on walls look away from the nearest one. */
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

/** Three suns from fixed sides, so that every face of a box has a shade of its own. */
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

function addCast(to: Group, { lit, glowing }: Cast, temper: Temper): void {
  if (lit) to.add(new Mesh(lit, LIT[temper]));
  if (glowing) to.add(new Mesh(glowing, GLOWING));
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

/** In the middle of the lower part of the view, tilted so that it is seen from above. */
function hold(object: Group, { size }: Cast): void {
  const scale = Math.min(1.2, HELD_SIZE / Math.max(...size));
  object.position.set(HAND[0], HAND[1] - (size[1] * scale) / 2, HAND[2]);
  object.rotation.set(0.5, 0.3, 0);
  object.scale.setScalar(scale);
}

/** Almost nothing moves from one picture to the next, so matrices are made here and not in every frame. */
function settle(object: Group): void {
  object.traverse((each) => {
    each.matrixAutoUpdate = false;
    each.updateMatrix();
  });
}

function stand(object: Group, x: number, y: number, z: number, turn: number): void {
  object.position.set(x, y, z);
  object.rotation.set(0, turn, 0);
  object.scale.setScalar(1);
}
