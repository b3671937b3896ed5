/** Steps of recorded episodes as examples: the prompt that was sent and the response that it got. */
import type { ChatMessage, Image } from '@vlgym/core';
import { type ContentHash, readTrajectories, type StoredMessage, type TrajectoryStep } from '@vlgym/core/trajectory';
import type { ChatExample } from './example.js';

export interface RecordingFilter {
  /** `success` (default): only episodes that succeeded. `all`: every episode. */
  readonly episodes?: 'success' | 'all' | undefined;
  /** Leave out steps whose response had no legal action; default true. */
  readonly legalOnly?: boolean | undefined;
  /** Smallest return of an episode; default: any. */
  readonly minReturn?: number | undefined;
}

/** @throws what `readTrajectories` does; with `skip`, invalid lines go to `onProblem`. */
export async function* readRecordings(
  path: string,
  { episodes = 'success', legalOnly = true, minReturn = Number.NEGATIVE_INFINITY }: RecordingFilter = {},
  onInvalid: 'throw' | 'skip' = 'throw',
  onProblem: (problem: Error) => void = () => {},
): AsyncGenerator<ChatExample> {
  const reader = readTrajectories(path, { onInvalid });
  let reported = 0;
  for await (const { id, env, seed, outcome, steps } of reader) {
    for (const problem of reader.problems.slice(reported)) onProblem(problem);
    reported = reader.problems.length;
    if (episodes === 'success' && outcome.success !== true) continue;
    if (outcome.return < minReturn) continue;
    const group = `${reader.file}: episode ${id}`;
    const pictures = new Map<ContentHash, Image>();
    const load = async (hash: ContentHash) => {
      const image = pictures.get(hash) ?? (await reader.loadImage(hash));
      pictures.set(hash, image);
      return image;
    };
    for (const step of steps) {
      if (!isLesson(step, legalOnly)) continue;
      const prompt = await Promise.all(step.prompt.map((message) => withPictures(message, load)));
      const { reward, index, policyVersion } = step;
      const of = { env: env?.id, seed, episode: id, return: outcome.return, success: outcome.success };
      const origin = { ...of, step: index, reward, policyVersion };
      yield { prompt, response: step.response, source: `${group}, step ${index}`, group, origin };
    }
  }
  for (const problem of reader.problems.slice(reported)) onProblem(problem);
}

type LessonStep = TrajectoryStep & { readonly prompt: readonly StoredMessage[]; readonly response: string };

function isLesson(step: TrajectoryStep, legalOnly: boolean): step is LessonStep {
  if (!step.prompt?.length || !step.response) return false;
  return !legalOnly || (step.legal !== false && step.fallback !== true && step.error === undefined);
}

async function withPictures(
  { role, content }: StoredMessage,
  load: (hash: ContentHash) => Promise<Image>,
): Promise<ChatMessage> {
  if (typeof content === 'string') return { role, content };
  const parts = await Promise.all(
    content.map(async (part) =>
      part.type === 'text' ? part : { type: 'image' as const, image: await load(part.image) },
    ),
  );
  return { role, content: parts };
}
