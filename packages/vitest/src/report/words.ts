/** Numbers and episodes in words, for messages and reports. */
import { relative } from 'node:path';
import type { AgentCheck, FailedEpisode } from '../check.js';

export const percent = (share: number): string => `${Number((100 * share).toFixed(1))} %`;

export const episodesText = (count: number): string => `${count} episode${count === 1 ? '' : 's'}`;

/** One failed episode, a line for each step. */
export function failedText({ seed, id, end, return: sum, length, steps }: FailedEpisode): string[] {
  const hidden = length - steps.length;
  return [
    `seed ${seed} (${id}): ${end}, return ${Number(sum.toFixed(3))}, ${length} turns`,
    ...(hidden > 0 && steps.length > 0 ? [`  … ${hidden} earlier`] : []),
    ...steps.map(({ index, action, reward, problem, tools }) =>
      [
        `  ${index}  ${action || '(no answer)'}`,
        tools && `[${tools.join(', ')}]`,
        `reward ${Number(reward.toFixed(3))}`,
        problem && `(${problem})`,
      ]
        .filter(Boolean)
        .join('  '),
    ),
  ];
}

/** The message of an assertion that failed. */
export function failureMessage({ text, failures, folder }: AgentCheck): string {
  const [first] = failures;
  return [
    text,
    ...(first ? ['', ...failedText(first)] : []),
    ...(folder === undefined ? [] : ['', watchLine(folder)]),
  ].join('\n');
}

export const watchLine = (folder: string): string => `watch the episodes: npx vlgym watch ${quoted(shortPath(folder))}`;

/** From the working folder, if it lies in there. */
export const shortPath = (path: string): string => {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
};

const quoted = (path: string) => (/^[\w./-]+$/.test(path) ? path : JSON.stringify(path));
