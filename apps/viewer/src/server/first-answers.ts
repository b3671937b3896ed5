/**
 * Answers to the first questions of the page, sent with it: the list of runs, and where there is one run, its state and its
 * first screen of episodes. Each question would be a way to the server and back, while that reads the folders.
 */
import { setTimeout } from 'node:timers/promises';
import type { EpisodeSet, RunDetails, RunList } from '../protocol.js';
import { type ApiOptions, answerTo } from './api.js';
import type { Library } from './library.js';

/** Milliseconds that the page waits for them; what is not there by then it asks for itself. */
const PATIENCE = 400;

/** By path, as the page asks. */
export async function firstAnswers(library: Library, options: ApiOptions): Promise<Readonly<Record<string, unknown>>> {
  const answers: Record<string, unknown> = {};
  const ask = async <T>(path: string): Promise<T> => {
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    const answer = await answerTo(pathname.slice(1), searchParams, library, options);
    answers[path] = answer;
    return answer as T;
  };
  const askAll = async () => {
    const { runs } = await ask<RunList>('runs');
    const [run] = runs;
    if (runs.length !== 1) return;
    const set = firstSetOf(await ask<RunDetails>(`runs/${run!.id}/details`));
    if (set !== undefined) await ask(`runs/${run!.id}/episodes?set=${set}`);
  };
  // a folder that cannot be read: the page asks, and shows the error
  await Promise.race([askAll().catch(() => {}), setTimeout(PATIENCE)]);
  return { ...answers };
}

/** The one that the page shows before its reader chooses. */
function firstSetOf({ recorded, played }: RunDetails): EpisodeSet | undefined {
  const last = recorded.at(-1);
  return last !== undefined ? `update-${last}` : played ? 'played' : undefined;
}
