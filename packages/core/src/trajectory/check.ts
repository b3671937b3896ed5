/** Checks the consistency of a trajectory beyond its schema: sums, order, spans, masks, pictures. */
import type { Image } from '../image.js';
import { checkNames, names } from '../options.js';
import { summarize } from './outcome.js';
import {
  type ContentHash,
  type TokenRecord,
  type Trajectory,
  type TrajectoryHeader,
  type TrajectoryStep,
  trajectorySchema,
} from './schema.js';

export interface TrajectoryProblem {
  /** Path, e.g. `steps.3.spans.action`. */
  readonly path: string;
  readonly message: string;
}

export interface TrajectoryReport {
  readonly ok: boolean;
  readonly problems: readonly TrajectoryProblem[];
}

export interface CheckTrajectoryOptions {
  /** Also load every referenced picture: a missing or altered one is a problem. */
  readonly loadImage?: ((hash: ContentHash) => Promise<Image>) | undefined;
}

const CHECK_TRAJECTORY_OPTIONS = names<CheckTrajectoryOptions>({ loadImage: 0 });

/** Checks any value; never throws. `replay` verifies that the episode really happened. */
export async function checkTrajectory(value: unknown, options: CheckTrajectoryOptions = {}): Promise<TrajectoryReport> {
  checkNames('options', options, CHECK_TRAJECTORY_OPTIONS);
  const { loadImage } = options;
  const parsed = trajectorySchema.safeParse(value);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message }));
    return { ok: false, problems };
  }
  const problems = [...problemsOfOutcome(parsed.data), ...parsed.data.steps.flatMap(problemsOfStep)];
  if (loadImage !== undefined) {
    for (const [hash, path] of imagesNamed(parsed.data)) {
      await loadImage(hash).catch((error: Error) => problems.push({ path, message: error.message }));
    }
  }
  return { ok: problems.length === 0, problems };
}

/** Every picture that a trajectory references, each once, with the first reference. */
function imagesNamed(trajectory: Trajectory): Map<ContentHash, string> {
  const named = new Map<ContentHash, string>();
  const add = (hash: ContentHash, path: string) => {
    if (!named.has(hash)) named.set(hash, path);
  };
  const addObservation = (record: TrajectoryHeader['observation'] | undefined, path: string) => {
    for (const [i, hash] of record?.images?.entries() ?? []) add(hash, `${path}.images.${i}`);
  };

  addObservation(trajectory.observation, 'observation');
  for (const { index, prompt, observation } of trajectory.steps) {
    for (const [m, { content }] of prompt?.entries() ?? []) {
      if (typeof content === 'string') continue;
      for (const [p, part] of content.entries()) {
        if (part.type === 'image') add(part.image, `steps.${index}.prompt.${m}.content.${p}`);
      }
    }
    addObservation(observation, `steps.${index}.observation`);
  }
  return named;
}

function problemsOfOutcome({ observation, steps, outcome }: Trajectory): TrajectoryProblem[] {
  const problems: TrajectoryProblem[] = [];
  const expected = summarize(steps);
  for (const field of ['return', 'length', 'endedBy'] as const) {
    if (outcome[field] === expected[field]) continue;
    const message = `${outcome[field]}, but the steps say ${expected[field]}`;
    problems.push({ path: `outcome.${field}`, message });
  }
  for (const [i, step] of steps.entries()) {
    if (step.index !== i) problems.push({ path: `steps.${i}.index`, message: `${step.index} at position ${i}` });
    const before = i === 0 ? observation : steps[i - 1]?.observation;
    if (step.fallback && step.action === undefined && step.observation && step.observation.digest !== before?.digest) {
      problems.push({ path: `steps.${i}.fallback`, message: 'no action was executed, but the observation changed' });
    }
    if ((step.terminated || step.truncated) && i < steps.length - 1) {
      problems.push({ path: `steps.${i}`, message: 'the episode ended here, but steps follow' });
    }
  }
  return problems;
}

function problemsOfStep(step: TrajectoryStep): TrajectoryProblem[] {
  const problems: TrajectoryProblem[] = [];
  const claim = (holds: boolean, field: string, message: string) => {
    if (!holds) problems.push({ path: `steps.${step.index}.${field}`, message });
  };

  const { response, spans, tokens } = step;
  claim(
    step.truncated === (step.truncationReason !== undefined),
    'truncationReason',
    'must be present exactly when truncated',
  );
  claim(step.observation !== undefined || step.truncated, 'observation', 'missing, but the episode continues');
  for (const [name, span] of Object.entries(spans ?? {})) {
    const inside = span !== undefined && span[0] <= span[1] && span[1] <= (response ?? '').length;
    claim(inside, `spans.${name}`, `${span} is not a range of a response of ${response?.length ?? 0} characters`);
  }
  if (tokens !== undefined) claimTokens(tokens, response ?? '', claim);
  return problems;
}

function claimTokens(
  tokens: TokenRecord,
  response: string,
  claim: (holds: boolean, field: string, message: string) => void,
): void {
  const { ids, thoughtMask = [], actionMask = [], tokenEnds = [] } = tokens;
  for (const field of ['mask', 'logProbs', 'behaviorLogProbs', 'thoughtMask', 'actionMask', 'tokenEnds'] as const) {
    const length = tokens[field]?.length ?? ids.length;
    claim(length === ids.length, `tokens.${field}`, `${length} entries for ${ids.length} tokens`);
  }
  const disjoint = thoughtMask.every((bit, i) => !(bit && actionMask[i]));
  claim(disjoint, 'tokens.thoughtMask', 'overlaps the action mask');
  const rising = tokenEnds.every((end, i) => end >= (tokenEnds[i - 1] ?? 0) && end <= response.length);
  claim(rising, 'tokens.tokenEnds', 'decreases, or exceeds the response');
}
