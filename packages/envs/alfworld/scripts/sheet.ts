/**
 * Writes an HTML file with pictures of every class of furniture and objects, their states, and an episode.
 *
 * `npx tsx packages/envs/alfworld/scripts/sheet.ts [file] [game]`; the game of the episode is `train/<task>/<seed>` or a
 * folder of ALFWorld's data. The expert plays it.
 */
import type { Image } from '@vlgym/core';
import { encodePng } from '@vlgym/core/images';
import { writeFileAtomic } from '@vlgym/core/internal';
import { type CameraLike, createSoftRenderer, type SceneLike } from '@vlgym/render';
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
import { SHAPES } from '../src/generator/furniture.js';
import { createAlfworld } from '../src/index.js';
import { type Cast, cast, objectCast } from '../src/pictures/gallery.js';
import { OBJECT_MODELS, RECEPTACLE_MODELS } from '../src/pictures/models/index.js';

const [file = 'alfworld-sheet.html', game = 'train/pick_heat_then_place_in_recep/3'] = process.argv.slice(2);
const renderer = createSoftRenderer({ outputColorSpace: 'srgb-linear' });
const SIDE = 150;
const PLAIN = { sliced: false, hanging: false, lit: false };

const sizes = new Map(Object.entries(SHAPES).map(([name, size]) => [name.toLowerCase(), size]));
const furniture = Object.entries(RECEPTACLE_MODELS).flatMap(([kind, model]) => {
  const size = sizes.get(kind)!;
  const states = ['cabinet', 'drawer', 'fridge', 'microwave', 'safe'].includes(kind) ? [false, true] : [true];
  return states.map((open) => {
    const { shape } = model({ ...size, open, standsAlone: true, hollow: false });
    return cell(states.length > 1 ? `${kind} ${open ? 'open' : 'closed'}` : kind, portrait(cast(shape)));
  });
});
const things = Object.keys(OBJECT_MODELS).map((kind) => cell(kind, portrait(objectCast(kind, PLAIN)!)));
const states = [
  ...['apple', 'bread', 'egg', 'lettuce', 'potato', 'tomato'].map(
    (kind) => [kind, { ...PLAIN, sliced: true }, 'sliced'] as const,
  ),
  ...['desklamp', 'floorlamp'].map((kind) => [kind, { ...PLAIN, lit: true }, 'on'] as const),
  ...['towel', 'handtowel', 'toiletpaper'].map((kind) => [kind, { ...PLAIN, hanging: true }, 'hanging'] as const),
].map(([kind, look, name]) => cell(`${kind} ${name}`, portrait(objectCast(kind, look)!)));

const style =
  'body{font:12px sans-serif;width:1260px}div{display:inline-block;margin:2px;text-align:center;vertical-align:top;max-width:300px}img{display:block}';
const sections = Object.entries({ furniture, things, states, [game]: await episode(game) });
await writeFileAtomic(
  file,
  `<!doctype html><meta charset="utf-8"><title>ALFWorld in pictures</title><style>${style}</style>
${sections.map(([title, cells]) => `<h2>${title}</h2>\n${cells.join('')}`).join('\n')}`,
);
console.log(`${file}: ${sections.map(([title, cells]) => `${cells.length} of ${title}`).join(', ')}`);

async function episode(id: string): Promise<string[]> {
  const isFile = id.includes('.') || id.startsWith('/');
  const env = await createAlfworld({ observation: 'both', ...(isFile ? { games: [id] } : {}) });
  let { observation, info } = env.reset(isFile ? { seed: 1 } : { seed: 1, options: { game: id } });
  const cells = [cell(info.task, observation.image)];
  for (let action = env.oracle(); action !== undefined && !info.won; action = env.oracle()) {
    ({ observation, info } = env.step(action));
    cells.push(cell(`&gt; ${action}<br>${observation.text}`, observation.image));
  }
  await env.close();
  return cells;
}

/** One model on gray, seen from the front and above, filling the picture. */
function portrait({ lit, glowing, size }: Cast): Image {
  const scene = new Scene();
  scene.background = new Color().setRGB(0.93, 0.93, 0.95);
  const light = (strength: number, x: number, y: number, z: number) => {
    const sun = new DirectionalLight(new Color().setRGB(strength, strength, strength), Math.PI);
    sun.position.set(x, y, z);
    return sun;
  };
  scene.add(
    new AmbientLight(new Color().setRGB(0.66, 0.66, 0.66), Math.PI),
    light(0.24, 0.3, 1, 0.2),
    light(0.16, -0.6, 0.1, 1),
  );
  const group = new Group();
  if (lit) group.add(new Mesh(lit, new MeshLambertMaterial({ vertexColors: true })));
  if (glowing) group.add(new Mesh(glowing, new MeshBasicMaterial({ vertexColors: true })));
  scene.add(group);
  const geometry = (lit ?? glowing)!;
  geometry.computeBoundingSphere();
  const { center, radius } = geometry.boundingSphere!;
  const camera = new PerspectiveCamera(30, 1, 0.01, 50);
  const flat = size[1] < 0.35 * Math.max(size[0], size[2]);
  camera.position.set(
    center.x + radius * 1.1,
    center.y + radius * (flat ? 3 : 1.8),
    center.z + radius * (flat ? 2.6 : 3.4),
  );
  camera.lookAt(center);
  const { rgb } = renderer.render(scene as unknown as SceneLike, camera as unknown as CameraLike, {
    width: SIDE,
    height: SIDE,
    rgb: true,
  });
  return { data: rgb, width: SIDE, height: SIDE, channels: 3 };
}

function cell(title: string, image: Image): string {
  return `<div><img src="data:image/png;base64,${Buffer.from(encodePng(image)).toString('base64')}" alt="">${title}</div>`;
}
