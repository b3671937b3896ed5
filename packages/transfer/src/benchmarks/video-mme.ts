/** Video-MME under lmms-eval's rules of 2025 (the first letter) and of 2026. Subtitles are not shown. */
import type { Benchmark } from '../benchmark.js';
import { videoMmeLetter } from '../extract/first-letter.js';
import { LETTERS_A_TO_D, mcqAnswer } from '../extract/mcq-answer.js';
import { keyOf, listOf, textOf } from '../fields.js';
import { plainSummary } from '../metrics/means.js';
import { LETTER, letters, letterVerdict, lines, picturesFirst } from './choices.js';

/** The prompt mentions subtitles even where there are none. */
const OPENING =
  'Select the best answer to the following multiple-choice question based on the video and the subtitles. ' +
  'Respond with only the letter (A, B, C, or D) of the correct option.';

export const videoMme2025 = videoMme('lmms-eval-2025', videoMmeLetter);
export const videoMme2026 = videoMme('lmms-eval-2026', (answer) => mcqAnswer(answer, LETTERS_A_TO_D));

function videoMme(rules: string, letterOf: (answer: string) => string): Benchmark {
  return {
    id: 'video-mme',
    rules,
    maxNewTokens: 16,
    pictures: 'video',
    key: (row) => keyOf(row, 'question_id'),
    cluster: (row) => keyOf(row, 'videoID'),
    prompt: (row, pictures) =>
      picturesFirst(pictures, lines(OPENING, textOf(row, 'question'), ...listOf(row, 'options'), '', LETTER)),
    score(row, answer) {
      const letter = letterOf(answer);
      return letterVerdict(letter, letter === textOf(row, 'answer'));
    },
    choices: (row) => letters(listOf(row, 'options').length),
    summarize: (judged) =>
      plainSummary(judged, {
        metric: 'accuracy',
        unit: 'percent',
        fields: ['duration', 'domain', 'sub_category', 'task_type'],
      }),
  };
}
