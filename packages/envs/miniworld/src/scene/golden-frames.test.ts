/** Compares pictures with the original's: silhouettes, depth, colors and visible entities. */
import { describe, expect, it } from 'vitest';
import {
  depthErrors,
  edgeAgreement,
  FRAMES_FOLDER,
  goldenFrames,
  goldenPicture,
  meanColor,
  ourFrame,
  shrunk,
} from '../../scripts/golden-frames.js';

const frames = goldenFrames().map((frame) => ({ ...frame, ours: ourFrame(frame) }));

/** Worlds in which some textures and meshes differ from the original's: letters, a logo, cones and the building. */
const OWN_ART: Readonly<Record<string, number>> = { Sidewalk: 0.95, Sign: 0.97, ThreeRooms: 0.97 };

const ASSETS = process.env.MINIWORLD_ASSETS;

const title = FRAMES_FOLDER
  ? 'the pictures of the original'
  : 'the pictures of the original (skipped: set MINIWORLD_FRAMES to their folder)';

describe.skipIf(FRAMES_FOLDER === undefined)(title, () => {
  it.each(frames)('$file: edges agree within a pixel of 160 x 120', (frame) => {
    const wanted = OWN_ART[frame.env.split('-')[1]!] ?? 0.99;
    const [theirs, ours] = [shrunk(goldenPicture(frame)), shrunk(frame.ours.picture)];
    expect(edgeAgreement(theirs, ours)).toBeGreaterThan(wanted);
    expect(edgeAgreement(ours, theirs)).toBeGreaterThan(wanted);
  });

  it.each(frames)('$file: depth agrees within 1 % at the sampled points', (frame) => {
    for (const error of depthErrors(frame, frame.ours.depth)) expect(error).toBeLessThan(0.01);
  });

  it.each(frames)('$file: the mean color agrees within 6 of 255', (frame) => {
    for (const [channel, value] of meanColor(frame.ours.picture).entries()) {
      expect(Math.abs(value - frame.mean_rgb[channel]!)).toBeLessThan(6);
    }
  });

  it.skipIf(ASSETS === undefined).each(frames.filter(({ env }) => !env.includes('Sidewalk')))(
    "$file: with the original's own textures (MINIWORLD_ASSETS) nearly every pixel agrees",
    (frame) => {
      const ours = ourFrame(frame, ASSETS).picture.data;
      const { data, channels } = goldenPicture(frame);
      const far = ours.filter((value, index) => {
        return Math.abs(value - data[Math.floor(index / 3) * channels + (index % 3)]!) > 10;
      });
      expect(far.length / ours.length).toBeLessThan(0.01);
    },
  );

  it('faces of boxes have the colors of the original', () => {
    const faces = frames.flatMap(({ rgb_samples: samples, ours, width }) =>
      (samples?.rows ?? []).flatMap((row, i) =>
        samples!.cols.flatMap((column, j) => {
          const wanted = samples!.rgb[i]![j]!;
          const isRedFace = wanted[1] === 0 && wanted[2] === 0 && wanted[0]! > 150;
          const at = 3 * (row * width + column);
          return isRedFace ? [{ wanted, actual: [...ours.picture.data.subarray(at, at + 3)] }] : [];
        }),
      ),
    );
    expect(faces.length).toBeGreaterThan(8);
    for (const { wanted, actual } of faces) {
      actual.forEach((value, channel) => {
        expect(Math.abs(value - wanted[channel]!)).toBeLessThanOrEqual(6);
      });
    }
  });

  it.each(frames.filter(({ visible }) => visible))('$file: the same entities are visible', ({ visible, ours }) => {
    expect(ours.visible).toEqual(visible);
  });
});
