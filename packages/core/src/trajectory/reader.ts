/**
 * Trajectories from disk, one by one: memory holds only incomplete episodes.
 *
 * Files are untrusted. Lines, steps and texts are bounded, a picture's name is never a path, and every problem has file,
 * line and field.
 */

import { z } from 'zod';
import { builtin } from '../files/builtin.js';
import { type JsonLine, readJsonLines } from '../files/json-lines.js';
import type { Image } from '../image.js';
import { checkNames, names } from '../options.js';
import { TrajectoryInvalidError } from './errors.js';
import { FolderImages, type ImageStore } from './images.js';
import { summarize } from './outcome.js';
import {
  type ContentHash,
  episodeIdSchema,
  READABLE_SCHEMAS,
  TRAJECTORY_LIMITS,
  TRAJECTORY_SCHEMA,
  type Trajectory,
  type TrajectoryHeader,
  type TrajectoryStep,
  trajectoryHeaderSchema,
  trajectoryOutcomeSchema,
  trajectorySchema,
  trajectoryStepSchema,
} from './schema.js';
import { EPISODES_FILE, episodeIdOf, IMAGES_FOLDER } from './writer.js';

export interface ReadOptions {
  /** `throw` (default) stops at the first invalid line; `skip` skips its episode and records the problem. */
  readonly onInvalid?: 'throw' | 'skip' | undefined;
  /** Maximum length of a line, in bytes; default 256 MiB. */
  readonly maxLineBytes?: number | undefined;
}

const READ_TRAJECTORIES_OPTIONS = names<ReadOptions>({ onInvalid: 0, maxLineBytes: 0 });

/**
 * Reads a folder that a `TrajectoryWriter` wrote, or one `.jsonl` file of such events or of whole trajectories.
 *
 * Complete episodes come first, in the order of their ends, then those without an end.
 *
 * @throws {NotReadableFileError} `FILE_NOT_READABLE`: the file is a pipe or a device.
 *
 * @example
 * const episodes = readTrajectories('runs/today');
 * for await (const { id, outcome } of episodes) console.log(id, outcome.return);
 * for (const problem of episodes.problems) console.warn(problem.message);
 */
export function readTrajectories(path: string, options: ReadOptions = {}): TrajectoryReader {
  checkNames('options', options, READ_TRAJECTORIES_OPTIONS);

  return new TrajectoryReader(path, options);
}

const eventSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('start'), trajectory: trajectoryHeaderSchema }),
  z.object({ event: z.literal('step'), id: episodeIdSchema, step: trajectoryStepSchema }),
  z.object({ event: z.literal('end'), id: episodeIdSchema, outcome: trajectoryOutcomeSchema }),
]);

export class TrajectoryReader implements AsyncIterable<Trajectory> {
  /** Lines dropped or skipped so far: a torn last line always, invalid lines with `skip`. */
  readonly problems: TrajectoryInvalidError[] = [];
  readonly file: string;
  readonly images: ImageStore;
  readonly #options: ReadOptions;

  constructor(path: string, options: ReadOptions) {
    const { dirname, join } = builtin('node:path');
    this.file = path.endsWith('.jsonl') ? path : join(path, EPISODES_FILE);
    this.images = new FolderImages(join(dirname(this.file), IMAGES_FOLDER));
    this.#options = options;
  }

  /** @throws {ImageMissingError} `IMAGE_MISSING`. @throws {ImageInvalidError} `IMAGE_INVALID`: damaged or altered. */
  loadImage(hash: ContentHash): Promise<Image> {
    return this.images.load(hash);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Trajectory> {
    const open: OpenEpisodes = new Map();
    const seen = new Set<string>();
    try {
      for await (const line of readJsonLines(this.file, this.#options)) {
        const trajectory = this.#take(line, open, seen);
        if (trajectory !== undefined) yield trajectory;
      }
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
      throw new TrajectoryInvalidError(
        'the file does not exist',
        [],
        { file: this.file },
        {
          hint: 'give the folder that a TrajectoryWriter wrote, or a .jsonl file',
          cause,
        },
      );
    }
    for (const episode of open.values()) {
      if (episode !== 'invalid') yield { ...episode.header, steps: episode.steps, outcome: summarize(episode.steps) };
    }
  }

  #take(line: JsonLine, open: OpenEpisodes, seen: Set<string>): Trajectory | undefined {
    try {
      return accept(line, open, seen);
    } catch (error) {
      const problem = this.#locate(error, line.line);
      if (this.#options.onInvalid !== 'skip' && !('problem' in line && line.problem === 'torn')) throw problem;
      this.problems.push(problem);
      const id = 'value' in line ? episodeIdOf(line.value) : undefined;
      if (id !== undefined) open.set(id, 'invalid');
      return undefined;
    }
  }

  #locate(error: unknown, line: number): TrajectoryInvalidError {
    const place = { file: this.file, line };
    if (error instanceof Problem) return new TrajectoryInvalidError(error.message, error.path, place, error.details);
    if (error instanceof z.ZodError) return TrajectoryInvalidError.fromZod(error, place);
    throw error;
  }
}

interface OpenEpisode {
  readonly header: TrajectoryHeader;
  readonly steps: TrajectoryStep[];
}

/** By id; the remaining lines of an episode with an invalid line are skipped. */
type OpenEpisodes = Map<string, OpenEpisode | 'invalid'>;

/** A problem without its location. */
class Problem extends Error {
  constructor(
    message: string,
    readonly path: readonly PropertyKey[] = [],
    readonly details: { value?: unknown; expected?: string; hint?: string; cause?: unknown } = {},
  ) {
    super(message);
  }
}

/** Adds one line to the open episodes; an end, or a whole trajectory, returns a trajectory. */
function accept(line: JsonLine, open: OpenEpisodes, seen: Set<string>): Trajectory | undefined {
  if ('problem' in line) throw lineProblem(line);
  const { value } = line;
  if (typeof value === 'object' && value !== null && 'steps' in value) {
    refuseOtherVersions((value as { schema?: unknown }).schema);
    const trajectory = trajectorySchema.parse(value);
    register(trajectory.id, seen);
    return trajectory;
  }

  refuseOtherVersions((value as { trajectory?: { schema?: unknown } } | null)?.trajectory?.schema ?? TRAJECTORY_SCHEMA);
  const event = eventSchema.parse(value);
  if (event.event === 'start') {
    register(event.trajectory.id, seen);
    open.set(event.trajectory.id, { header: event.trajectory, steps: [] });
    return undefined;
  }

  const episode = open.get(event.id);
  if (episode === 'invalid') return undefined;
  if (episode === undefined) throw new Problem(`episode "${event.id}" has not started or has ended`, ['id']);
  if (event.event === 'step') {
    addStep(episode, event.step);
    return undefined;
  }
  open.delete(event.id);
  const { header, steps } = episode;
  if (event.outcome.length !== steps.length) {
    throw new Problem(`the file holds ${steps.length} steps of this episode`, ['outcome', 'length'], {
      value: event.outcome.length,
    });
  }
  return { ...header, steps, outcome: event.outcome };
}

function addStep({ steps }: OpenEpisode, step: TrajectoryStep): void {
  if (step.index !== steps.length) {
    throw new Problem(`step ${steps.length} is missing`, ['step', 'index'], { value: step.index });
  }
  if (steps.length >= TRAJECTORY_LIMITS.steps) throw new Problem(`more than ${TRAJECTORY_LIMITS.steps} steps`);
  steps.push(step);
}

function register(id: string, seen: Set<string>): void {
  if (seen.has(id)) throw new Problem(`episode "${id}" occurs twice in the file`, ['id'], { value: id });
  seen.add(id);
}

function refuseOtherVersions(schema: unknown): void {
  if ((READABLE_SCHEMAS as readonly unknown[]).includes(schema)) return;
  throw new Problem('written in another version of the layout', ['schema'], {
    value: schema,
    expected: READABLE_SCHEMAS.join(' or '),
    hint: 'read it with the version of @vlgym/core that `createdBy` names',
  });
}

function lineProblem({ problem, bytes, cause }: Extract<JsonLine, { problem: unknown }>): Problem {
  const words = {
    torn: `the last line is torn after ${bytes} bytes, as after a killed process; it was dropped`,
    'too-long': `the line has ${bytes} bytes, more than allowed`,
    'not-utf8': 'the line is not UTF-8',
    'not-json': 'the line is not JSON',
  } as const;
  return new Problem(words[problem], [], { cause });
}
