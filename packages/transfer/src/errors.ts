/** Errors of files: questions that cannot be read, and answers that do not fit together. */
import type { BoundaryError } from '@vlgym/agents';
import { GymError } from '@vlgym/core';

/** A file, or one of its rows, cannot be read as questions. */
export class QuestionFileError extends GymError {
  constructor(
    /** File, with line or row where one is at fault. */
    readonly place: string,
    problem: string,
    cause?: unknown,
  ) {
    super(`${place}: ${problem}.`, {
      code: 'QUESTION_FILE',
      value: place,
      expected: 'questions in a .jsonl, .tsv, .parquet or .tfrecord file, or a folder of such files',
      hint: 'download it again, or leave broken rows out with `onInvalid: "skip"`',
      cause,
    });
  }
}

/** Frames were to be taken out of a video file, and ffmpeg is not installed. */
export class FfmpegMissingError extends GymError {
  constructor(file: string, cause: unknown) {
    super(`Frames of ${file} need ffmpeg, which is not on PATH.`, {
      code: 'FFMPEG_MISSING',
      value: file,
      expected: 'ffmpeg and ffprobe on PATH, or a folder of pictures for each video',
      hint: 'install ffmpeg (`apt install ffmpeg`, `brew install ffmpeg`), or extract the frames elsewhere and name their folder with `frames`',
      cause,
    });
  }
}

/** Answers in a file belong to another benchmark, model or prompt than those asked for. */
export class AnswersDifferError extends GymError {
  constructor(place: string, what: string, found: unknown, wanted: unknown) {
    super(`${place} has answers with another ${what}: ${String(found)}, not ${String(wanted)}.`, {
      code: 'ANSWERS_DIFFER',
      value: found,
      expected: String(wanted),
      hint: 'name another file for the answers; scores under different words or rules are not comparable',
    });
  }
}

/** Rules that ask a judge score answers that nobody has judged. */
export class JudgeMissingError extends GymError {
  constructor(answers: string, question?: string) {
    super(
      `${question === undefined ? 'The answers' : `Answer ${question}`} in ${answers} have no reading by a judge.`,
      {
        code: 'JUDGE_MISSING',
        value: question ?? answers,
        expected: `readings of all answers in ${answers}.judge`,
        hint: `vlgym transfer judge ${answers} --agent …, or \`judgeAnswers\``,
      },
    );
  }
}

/** The rules of a benchmark ask no judge. */
export class NoJudgeError extends GymError {
  constructor(rules: string) {
    super(`${rules} asks no judge.`, {
      code: 'NO_JUDGE',
      value: rules,
      expected: 'answers to mmbench',
      hint: 'score the answers with `scoreAnswers`, or `vlgym transfer score`',
    });
  }
}

/** The agent gave no answer, for the reason in `failure`. */
export class AnswerFailedError extends GymError {
  constructor(
    readonly question: string,
    readonly failure: BoundaryError,
  ) {
    super(`Question ${question} was not answered: ${failure.message}`, {
      code: failure.code,
      value: question,
      expected: 'an answer',
      hint: 'answers so far are kept: the same call goes on from there',
    });
  }
}
