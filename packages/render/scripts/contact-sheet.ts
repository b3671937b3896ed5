/**
 * Draws sample pictures into one PNG: `npx tsx packages/render/scripts/contact-sheet.ts sheet.png`. The upper row is
 * color, the lower row depth (nearer is brighter). The columns are a hallway, rooms with a ball, the hallway from
 * above, and enlarged edges with one and with four samples per pixel.
 */
import { writeFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { OrthographicCamera } from 'three';
import { hallway, roomsInARow, walker } from '../src/fixtures/scenes.js';
import { type CameraLike, createSoftRenderer, type SceneLike, type SoftRenderer } from '../src/index.js';

const WIDTH = 320;
const HEIGHT = 240;
const smooth = createSoftRenderer();
const rough = createSoftRenderer({ samples: 1 });

const hall = hallway();
const rooms = roomsInARow();
const above = new OrthographicCamera(-2, 13, 5.625, -5.625, 0.1, 40);
above.position.set(5.5, 20, 0);
above.up.set(0, 0, -1);
above.lookAt(5.5, 0, 0);

const pictures: [scene: SceneLike, camera: CameraLike, renderer: SoftRenderer, enlarged: number][] = [
  [hall.scene, hall.camera, smooth, 1],
  [rooms.scene, rooms.camera, smooth, 1],
  [hall.scene, above, smooth, 1],
  [hall.scene, walker({ x: 6.8, angle: 0.3 }), rough, 4],
  [hall.scene, walker({ x: 6.8, angle: 0.3 }), smooth, 4],
];

const sheet = Buffer.alloc(pictures.length * WIDTH * HEIGHT * 2 * 3);
for (const [index, [scene, camera, renderer, enlarged]] of pictures.entries()) {
  const [width, height] = [WIDTH / enlarged, HEIGHT / enlarged];
  const { rgb, depth } = renderer.render(scene, camera, { width, height, rgb: true, depth: true });
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const pixel = Math.floor(y / enlarged) * width + Math.floor(x / enlarged);
      const to = (y * pictures.length + index) * WIDTH + x;
      sheet.set(rgb.subarray(pixel * 3, pixel * 3 + 3), to * 3);
      sheet.fill(
        Math.min(255, 400 / depth[pixel]!),
        (to + HEIGHT * pictures.length * WIDTH) * 3,
        (to + HEIGHT * pictures.length * WIDTH + 1) * 3,
      );
    }
  }
}
await writeFile(process.argv[2] ?? 'sheet.png', png(sheet, WIDTH * pictures.length, HEIGHT * 2));

/** Encodes an RGB picture as PNG without `@vlgym/core`, which this package does not depend on. */
function png(rgb: Buffer, width: number, height: number): Buffer {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y += 1) rgb.copy(rows, y * (width * 3 + 1) + 1, y * width * 3, (y + 1) * width * 3);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.of()),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  let crc = -1;
  for (const byte of body) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  out.writeInt32BE(~crc, body.length + 4);
  return out;
}
