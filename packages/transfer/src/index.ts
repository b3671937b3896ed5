/** The public interface; `docs/api/transfer.txt` lists it. */
export { agentAnswerer } from './agent-answerer.js';
export { type AnswerLine, type AnswersFile, type AnswersHead, readAnswers } from './answers.js';
export { type Answerer, type AnswerRequest, type AskedQuestion, type AskOptions, ask } from './ask.js';
export {
  type Benchmark,
  type Judged,
  type Part,
  type PromptPart,
  QuestionError,
  type Row,
  type Summary,
  type Verdict,
} from './benchmark.js';
export { BENCHMARKS, benchmark } from './benchmarks/index.js';
export { adjustedPValues, compareAnswers, type TransferComparison } from './compare.js';
export { compareSeeds, type SeedsComparison } from './compare-seeds.js';
export {
  AnswerFailedError,
  AnswersDifferError,
  FfmpegMissingError,
  JudgeMissingError,
  NoJudgeError,
  QuestionFileError,
} from './errors.js';
export { mmbenchChoice, type OptionTexts, vlmEvalKitChoice } from './extract/can-infer.js';
export { mmeRealWorldLetter, videoMmeLetter } from './extract/first-letter.js';
export { firstNumber } from './extract/first-number.js';
export { mcqAnswer } from './extract/mcq-answer.js';
export { mmtChoice, visualWebBenchChoice } from './extract/multi-choice.js';
export { openCandidates, openMatches } from './extract/open-answer.js';
export { firstWord, letteredStart, mmstarMatches, yesOrNo } from './extract/short-rules.js';
export { type JudgeOptions, judgeAnswers } from './judge.js';
export { type BalrogEpisode, type BalrogFigure, type BalrogSummary, balrogSummary } from './metrics/balrog.js';
export { meanRelativeAccuracy } from './metrics/mean-relative-accuracy.js';
export { type RougeScore, type RougeScores, rouge } from './metrics/rouge.js';
export { MINIATURES, writeMiniature } from './miniature.js';
export { frameIndices, type VideoFolders } from './read/frames.js';
export type { Decode } from './read/pictures.js';
export { type PlacedRow, readQuestions } from './read/questions.js';
export { type ScoredAnswer, scoreAnswers, type TransferReport } from './report.js';
