/** Compares an episode of ours with the same one of the original. */
import { Tally } from '@vlgym/core/verification';
import { type DrawnEpisode, VIEW, type View } from './draw-episode.js';
import type { Played, State } from './protocol.js';

const DEPTH = 'pixels: depth within 1 %';
const COLOR = 'pixels: color within 10 of 255';

/** Both compute in doubles, sometimes with the terms of a sum in a different order. */
const POSITION_TOLERANCE = 1e-9;
/** Shares that must agree: at edges one of both may see the other surface. */
const DEPTH_SHARE = 0.99;
/** Medkits, cones and the building are our own meshes, so their pixels differ; README, "Pictures". */
const COLOR_SHARE = 0.95;
/** Nearest plane of the camera in meters; the steps of the original's 16-bit depth depend on it. */
const NEAR = 0.04;

/** @param views  Whether views are compared, too. */
export function newTally(views: boolean): Tally {
  const tally = new Tally(['generator states', 'agents and entities', 'rewards', 'ends']);
  if (views) {
    tally.need(DEPTH, DEPTH_SHARE);
    tally.need(COLOR, COLOR_SHARE);
  }
  return tally;
}

export function compareEpisode(tally: Tally, ours: DrawnEpisode, theirs: Played): void {
  const place = `${ours.id} ${'domain_rand' in ours.kwargs ? '(random looks) ' : ''}seed ${ours.seed}`;
  tally.equal('generator states', `${place}, reset`, ours.start.generator, theirs.start.generator);
  compareStates(tally, `${place}, reset`, ours.start.state, theirs.start.state);
  for (const [index, [reward, terminated, truncated, state]] of ours.rows.entries()) {
    const [theirReward, theirEnd, theirCut, theirState] = theirs.rows[index]!;
    const where = `${place}, step ${index + 1}`;
    tally.near('rewards', where, [reward], [theirReward], POSITION_TOLERANCE);
    tally.equal('ends', where, [terminated, truncated], [theirEnd, theirCut]);
    compareStates(tally, where, state, theirState);
  }
  tally.equal('generator states', `${place}, end`, ours.generator, theirs.generator);
  compareViews(tally, `${place}, reset`, ours.start.view, theirs.start.view);
  compareViews(tally, `${place}, end`, ours.view, theirs.view);
}

function compareStates(tally: Tally, place: string, ours: State, theirs: State): void {
  tally.near('agents and entities', place, flat(ours), flat(theirs), POSITION_TOLERANCE);
}

const flat = ([agent, entities, carried]: State): number[] => [...agent, ...entities.flat(), carried];

function compareViews(tally: Tally, place: string, ours: View | undefined, theirs: Played['view']): void {
  if (!ours || !theirs) return;
  const depth = floats(theirs.depth);
  let near = 0;
  for (const [index, value] of ours.depth.data.entries()) {
    const wanted = depth[index]!;
    const step = (wanted * wanted) / NEAR / 65_535;
    if (Math.abs(value - wanted) - step / 2 <= 0.01 * wanted) near += 1;
  }
  const pixels = VIEW.width * VIEW.height;
  tally.count(DEPTH, near, pixels, near < pixels ? `${place}: ${pixels - near} pixels` : undefined);

  const colors = Buffer.from(theirs.rgb, 'base64');
  let alike = 0;
  for (let at = 0; at < colors.length; at += 3) {
    const far = [0, 1, 2].some((channel) => Math.abs(ours.picture.data[at + channel]! - colors[at + channel]!) > 10);
    if (!far) alike += 1;
  }
  tally.count(COLOR, alike, pixels, alike < pixels ? `${place}: ${pixels - alike} pixels` : undefined);
}

function floats(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
