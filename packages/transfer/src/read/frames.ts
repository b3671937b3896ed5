/** Frames of a video, evenly spread: pictures that were extracted before, or taken out of the file by ffmpeg. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import type { Image } from '@vlgym/core';
import { decodePng } from '@vlgym/core/images';
import { readRegularBytes } from '@vlgym/core/internal';
import { FfmpegMissingError, QuestionFileError } from '../errors.js';
import { type Decode, decoded, MAX_BYTES } from './pictures.js';
import type { PlacedRow } from './questions.js';

const run = promisify(execFile);

/** Where the videos of a question set are. */
export interface VideoFolders {
  /** A folder of pictures for each video. */
  readonly frames?: string | undefined;
  /** Video files. */
  readonly videos?: string | undefined;
}

const ENDINGS = ['.mp4', '.mkv', '.webm', '.mov', '.avi'];
/** Milliseconds that ffmpeg may take for one video. */
const PATIENCE = 600_000;
/** Files that name others, such as playlists, open nothing but files. */
const FILES_ONLY = ['-protocol_whitelist', 'file,pipe'];

/** `numpy.linspace(0, total - 1, n, dtype=int)` with n at most `total`. */
export function frameIndices(total: number, n: number): number[] {
  const count = Math.min(n, total);
  if (count <= 1) return count === 1 ? [0] : [];
  const step = (total - 1) / (count - 1);
  return Array.from({ length: count }, (_, i) => (i === count - 1 ? total - 1 : Math.floor(i * step)));
}

/**
 * @param video  Its path inside of the folders without an ending, e.g. `arkitscenes/41069025`.
 * @throws {QuestionFileError} It is in neither folder, outside of them, or cannot be read. @throws {FfmpegMissingError}
 */
export async function framesOf(
  { frames, videos }: VideoFolders,
  video: string,
  n: number,
  { place }: PlacedRow,
  decode: Decode = decodePng,
): Promise<Image[]> {
  const pictures = frames === undefined ? undefined : within(frames, video, place);
  if (pictures !== undefined && (await stat(pictures).catch(() => undefined))?.isDirectory()) {
    return picturesIn(pictures, n, place, decode);
  }
  for (const ending of videos === undefined ? [] : ENDINGS) {
    const file = within(videos!, `${video}${ending}`, place);
    if ((await stat(file).catch(() => undefined))?.isFile()) return framesInFile(file, n, place);
  }
  const places = [frames, videos].filter((folder) => folder !== undefined).join(' and ');
  throw new QuestionFileError(place, `the frames of ${video} are not in ${places}`);
}

function within(folder: string, name: string, place: string): string {
  const path = resolve(folder, name);
  if (path.startsWith(resolve(folder) + sep)) return path;
  throw new QuestionFileError(place, 'its video is outside of the folder');
}

async function picturesIn(folder: string, n: number, place: string, decode: Decode): Promise<Image[]> {
  const names = (await readdir(folder)).filter((name) => /\.(png|jpe?g|webp)$/i.test(name)).sort();
  if (names.length === 0) throw new QuestionFileError(place, `the folder ${folder} has no frame`);
  const pictures: Image[] = [];
  for (const index of frameIndices(names.length, n)) {
    pictures.push(await decoded(await readRegularBytes(join(folder, names[index]!), MAX_BYTES), decode, place));
  }
  return pictures;
}

async function framesInFile(file: string, n: number, place: string): Promise<Image[]> {
  const home = await mkdtemp(join(tmpdir(), 'vlgym-frames-'));
  try {
    const total = await frameCount(file, place);
    const chosen = frameIndices(total, n).map((index) => `eq(n\\,${index})`);
    const select = ['-vf', `select=${chosen.join('+')}`, '-vsync', '0'];
    await ffmpeg('ffmpeg', ['-i', `file:${file}`, ...select, join(home, '%06d.png')], file, place);
    return await picturesIn(home, n, place, decodePng);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Frames that the file holds, counted, since headers may be wrong. */
async function frameCount(file: string, place: string): Promise<number> {
  const count = ['-select_streams', 'v:0', '-count_packets', '-show_entries', 'stream=nb_read_packets'];
  const said = await ffmpeg('ffprobe', [...count, '-of', 'csv=p=0', `file:${file}`], file, place);
  const total = Number.parseInt(said, 10);
  if (total >= 1) return total;
  throw new QuestionFileError(place, `${file} has no video`);
}

/** @returns its output. */
async function ffmpeg(command: string, args: readonly string[], file: string, place: string): Promise<string> {
  try {
    const { stdout } = await run(command, ['-v', 'error', ...FILES_ONLY, ...args], { timeout: PATIENCE });
    return stdout;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') throw new FfmpegMissingError(file, cause);
    const [reason] = String((cause as { stderr?: unknown }).stderr ?? cause).split('\n');
    throw new QuestionFileError(place, `ffmpeg cannot read ${file}: ${reason}`, cause);
  }
}
