/** Pictures show what the game says, and equal states give equal bytes. */
import { checkEnv, make, type RgbImage } from '@vlgym/core';
import { hashImage } from '@vlgym/core/images';
import { describe, expect, it } from 'vitest';
import { DATA, NEEDS_DATA } from '../../test-support/data.js';
import { type AlfworldEnv, createAlfworld } from '../env/alfworld.js';
import type { TextAndImage } from '../env/views.js';
import '../register.js';
import { listGames } from '../games/collection.js';
import { TASK_TYPES } from '../games/task.js';
import { SHAPES } from '../generator/furniture.js';
import { PROPERTIES } from '../generator/tables.generated.js';
import { OBJECT_MODELS, RECEPTACLE_MODELS } from './models/index.js';
import { extentOf } from './models/solids.js';

const PLAIN = { sliced: false, hanging: false, lit: false };

describe('vlgym/ALFWorldPictures-v1', () => {
  it('meets the contract of every environment', async () => {
    const options = { obsWidth: 40, obsHeight: 30 };
    const report = await checkEnv(() => make('vlgym/ALFWorldPictures-v1', { options }), { steps: 8 });
    expect(report.findings).toEqual([]);
  });

  it('observes 300 x 300 pixels, and its prompt lists past actions in place of the scene', async () => {
    const env = await make('vlgym/ALFWorldPictures-v1');
    const { observation, info } = await env.reset({ seed: 3 });
    expect(observation).toMatchObject({ height: 300, width: 300, channels: 3 });
    expect((observation as RgbImage).data).toHaveLength(270_000);
    const history = [{ observation, action: 'look', text: 'look', reward: 0, info }];
    const [message] = env.dialogue!.prompt({ observation, info, history });
    const [image, words] = message!.content as [{ type: string; image: RgbImage }, { text: string }];
    expect(image).toMatchObject({ type: 'image', image: observation });
    expect(words.text).toContain("Commands so far: ['look']");
    expect(words.text).toContain(info.task);
    expect(words.text).not.toMatch(/What you see|middle of a room/);
    await env.close();
  });
});

describe('text and picture', () => {
  it('meet the contract together, and render both ways', async () => {
    const options = { observation: 'both', obsWidth: 32, obsHeight: 32 } as const;
    const build = () => make('vlgym/ALFWorld-v1', { options, renderMode: 'rgb_array' });
    const report = await checkEnv(build, { steps: 6 });
    expect(report.findings).toEqual([]);
  });

  it('show the same moment, even in steps after the end', async () => {
    const env = await small('both');
    const { text } = env.reset({ seed: 5 }).observation;
    expect(text).toContain('Your task is to');
    const steps = walk(env);
    const last = steps.at(-1)!;
    expect(last.terminated).toBe(true);
    const { observation, reward } = env.step('look');
    expect(observation).toEqual(last.observation);
    expect(reward).toBe(last.reward);
    expect(env.picture()).toEqual(last.observation.image);
  });
});

describe('the same seed and actions', () => {
  it.each(TASK_TYPES)('give the same bytes, in another environment and after a restore: %s', async (taskType) => {
    const options = { taskTypes: [taskType], obsWidth: 64, obsHeight: 64 } as const;
    const [one, other] = [await small('both', options), await small('both', options)];
    const first = one.reset({ seed: 11 });
    expect(other.reset({ seed: 11 })).toEqual(first);
    const actions = [...(one.expertPlan() ?? [])];
    const half = Math.floor(actions.length / 2);
    const hashes = actions.map((action) => hashImage(one.step(action).observation.image));
    for (const action of actions.slice(0, half)) other.step(action);
    const copy = await small('both', options);
    copy.restore(JSON.parse(JSON.stringify(other.snapshot())));
    expect(hashImage(copy.picture())).toBe(hashImage(other.picture()));
    const rest = (env: typeof one) =>
      actions.slice(half).map((action) => hashImage(env.step(action).observation.image));
    expect(rest(other)).toEqual(hashes.slice(half));
    expect(rest(copy)).toEqual(hashes.slice(half));
    expect(new Set(hashes).size).toBeGreaterThan(1);
  });
});

describe('every class', () => {
  const classes = [...Object.values(PROPERTIES).flat(), 'DeskLamp', 'FloorLamp'].map((name) => name.toLowerCase());
  const objects = [...new Set(classes)].filter((name) => !(name in RECEPTACLE_MODELS));

  it('of receptacles and objects has a distinct shape', () => {
    const shapes = new Map<string, string>();
    for (const [name, size] of Object.entries(SHAPES)) {
      const look = { ...size, open: true, standsAlone: true, hollow: false };
      const { shape } = RECEPTACLE_MODELS[name.toLowerCase()]!(look);
      shapes.set(JSON.stringify(shape), name);
    }
    for (const name of objects) shapes.set(JSON.stringify(OBJECT_MODELS[name]!(PLAIN)), name);
    expect(shapes.size).toBe(Object.keys(SHAPES).length + objects.length);
    expect(objects.length).toBeGreaterThanOrEqual(61);
  });

  it.each(objects)('of objects rests on the surface below it: %s', (name) => {
    const { low, high } = extentOf(OBJECT_MODELS[name]!(PLAIN));
    expect(low[1]).toBeGreaterThan(-0.015);
    expect(low[1]).toBeLessThan(0.015);
    expect(Math.max(high[0] - low[0], high[2] - low[2])).toBeGreaterThan(0.05);
  });

  it.each(['apple', 'bread', 'egg', 'lettuce', 'potato', 'tomato'])('that can be sliced looks sliced: %s', (name) => {
    expect(OBJECT_MODELS[name]!({ ...PLAIN, sliced: true })).not.toEqual(OBJECT_MODELS[name]!(PLAIN));
  });
});

describe('a change', () => {
  it('is visible: an open door, what is behind it, and what is in the hand', async () => {
    const env = await small('both', { taskTypes: ['pick_and_place_simple'], obsWidth: 120, obsHeight: 120 });
    let found = 0;
    for (let seed = 0; seed < 12 && found < 3; seed += 1) {
      const { info } = env.reset({ seed });
      const closed = info.admissibleCommands.flatMap(
        (command) => /^go to ((?:cabinet|drawer|fridge|safe) .*)$/.exec(command)?.[1] ?? [],
      );
      for (const place of closed) {
        env.step(`go to ${place}`);
        const before = env.picture();
        const { observation } = env.step(`open ${place}`);
        expect(observation.image).not.toEqual(before);
        const thing = /you see an? ([a-z]+ \d+)/.exec(observation.text)?.[1];
        if (thing === undefined || !env.visibleObjects().includes(thing)) continue;
        env.step(`close ${place}`);
        expect(env.visibleObjects()).not.toContain(thing);
        expect(env.picture()).toEqual(before);
        env.step(`open ${place}`);
        env.step(`take ${thing} from ${place}`);
        const rows = rowsOf(env, thing);
        expect(rows.length).toBeGreaterThanOrEqual(10);
        // The hand is at the lower edge.
        expect(Math.min(...rows)).toBeGreaterThan(55);
        found += 1;
        break;
      }
    }
    expect(found).toBe(3);
  });

  it.each([
    ['pick_heat_then_place_in_recep', /^heat/],
    ['pick_cool_then_place_in_recep', /^cool/],
    ['pick_clean_then_place_in_recep', /^clean/],
    ['look_at_obj_in_light', /^use/],
  ] as const)('is visible in %s', async (taskType, verb) => {
    const env = await small('image', { taskTypes: [taskType] });
    env.reset({ seed: 4 });
    for (let action = env.oracle()!; ; action = env.oracle()!) {
      const before = env.picture();
      const { observation } = env.step(action);
      if (!verb.test(action)) continue;
      expect(pixelsThatDiffer(before, observation)).toBeGreaterThan(20);
      break;
    }
  });
});

describe('what the text names', () => {
  it('is in the picture: receptacles from where they are used, and most of their contents', async () => {
    const env = await small('both', { obsWidth: 150, obsHeight: 150 });
    const seen = { places: 0, allPlaces: 0, things: 0, allThings: 0 };
    for (let seed = 0; seed < 6; seed += 1) count(env, env.reset({ seed }).info.game, seen);
    expect(seen.allPlaces).toBeGreaterThan(80);
    expect(seen.places / seen.allPlaces).toBeGreaterThan(0.97);
    expect(seen.things / seen.allThings).toBeGreaterThan(0.88);
  });

  it('has an id per object in the instance map, and 0 for the room', async () => {
    const env = await small('text', { renderMode: 'rgb_array' });
    env.reset({ seed: 2 });
    const { data, names, width, height } = env.instances();
    expect(data).toHaveLength(width * height);
    expect(names.get(0)).toBeUndefined();
    for (const id of new Set(data)) if (id !== 0) expect(names.get(id)).toMatch(/^[a-z]+ \d+$/);
    expect([...names.values()]).toContain(env.expertPlan()![0]!.replace('go to ', ''));
  });
});

describe.skipIf(NEEDS_DATA)(`ALFWorld's own games${NEEDS_DATA}`, () => {
  it('are drawn from their files', async () => {
    const games = ['train', 'valid_seen', 'valid_unseen'].flatMap((split) => listGames({ data: DATA!, split }).games);
    const seen = { places: 0, allPlaces: 0, things: 0, allThings: 0 };
    for (const { file } of games.filter((_, index) => index % 5 === 0)) {
      const env = await small('both', { games: [file], obsWidth: 300, obsHeight: 300 });
      count(env, env.reset({ seed: 1 }).info.game, seen);
      for (const name of env.instances().names.values()) expect(name).toMatch(/^[a-z]+ \d+$/);
    }
    expect(seen.allPlaces).toBeGreaterThan(200);
    expect(seen.places / seen.allPlaces).toBeGreaterThan(0.99);
    expect(seen.things / seen.allThings).toBeGreaterThan(0.96);
  });

  it('show a counter with many objects in front of its user, even if its middle is far away', async () => {
    const { games } = listGames({ data: DATA!, split: 'train' });
    const { file } = games.find(({ id }) => id.startsWith('pick_heat_then_place_in_recep-Apple-None-GarbageCan-2/'))!;
    const env = await small('both', { games: [file], obsWidth: 300, obsHeight: 300 });
    env.reset({ seed: 1 });
    const { text } = env.step('go to countertop 1').observation;
    const named = text.match(/(?<=\ba )[a-z]+ \d+/g)!;
    expect(named).toHaveLength(17);
    // the pan is on a burner too, and drawn there
    const unseen = ['countertop 1', ...named].filter((name) => !env.visibleObjects().includes(name));
    expect(unseen).toEqual(['pan 1']);
  });
});

type Seen = Record<'places' | 'allPlaces' | 'things' | 'allThings', number>;

/** Visits every place of a game, opens what can be opened, and counts which named objects are in the picture. */
function count(env: AlfworldEnv<TextAndImage>, game: string, seen: Seen): void {
  const { info } = env.reset({ options: { game } });
  const places = info.admissibleCommands.flatMap((command) => /^go to (.*)$/.exec(command)?.[1] ?? []);
  for (const place of places) {
    env.reset({ options: { game } });
    let { text } = env.step(`go to ${place}`).observation;
    if (text.includes('is closed')) ({ text } = env.step(`open ${place}`).observation);
    const visible = env.visibleObjects();
    const things = /you see (.*)\.$/.exec(text)?.[1]?.match(/[a-z]+ \d+/g) ?? [];
    seen.allPlaces += 1;
    seen.allThings += things.length;
    if (visible.includes(place)) seen.places += 1;
    seen.things += things.filter((thing) => visible.includes(thing)).length;
  }
}

function small<const Kind extends 'text' | 'image' | 'both'>(observation: Kind, more: object = {}) {
  return createAlfworld({ obsWidth: 96, obsHeight: 96, ...more, observation });
}

function walk(env: AlfworldEnv<TextAndImage>) {
  return [...(env.expertPlan() ?? [])].map((action) => env.step(action));
}

/** Rows in which an object is visible, one entry per pixel. */
function rowsOf(env: AlfworldEnv<TextAndImage>, name: string): number[] {
  const { data, names, width } = env.instances();
  const [id] = [...names].find(([, candidate]) => candidate === name)!;
  return [...data].flatMap((pixel, index) => (pixel === id ? [Math.floor(index / width)] : []));
}

function pixelsThatDiffer(one: RgbImage, other: RgbImage): number {
  let count = 0;
  for (let at = 0; at < one.data.length; at += 3) {
    if ([0, 1, 2].some((channel) => Math.abs(one.data[at + channel]! - other.data[at + channel]!) > 24)) count += 1;
  }
  return count;
}
