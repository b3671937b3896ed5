/** The tokens of one step with their numbers: those of a trajectory, and those that an update adds. */
import { type Json, list, numbers, record, text } from '../folders/values.js';
import type { TokenColumns } from '../protocol.js';

type Column = TokenColumns['columns'][number];

const none: TokenColumns = { texts: [], ids: [], parts: [], columns: [] };

/** @param step  A step of a trajectory. */
export function tokensOfTrajectory(step: Json): TokenColumns {
  const tokens = record(step.tokens);
  const ids = numbers(tokens.ids);
  if (ids.length === 0) return none;
  const columns = columnsOf(ids.length, [
    ['logProb', 'log-prob', tokens.logProbs],
    ['behavior', 'log-prob of the sampler', tokens.behaviorLogProbs],
  ]);
  return {
    ids,
    texts: textsOf(text(step.response) ?? '', numbers(tokens.tokenEnds), ids.length),
    parts: partsOf(tokens.thoughtMask, tokens.actionMask, ids.length),
    columns,
  };
}

/**
 * @param line     A step of `training/update-….jsonl`.
 * @param columns  The same step in `training/update-….columns.jsonl`: what the update has made of it.
 */
export function tokensOfUpdate(line: Json, columns: Json = {}): TokenColumns {
  const ids = numbers(line.tokenIds);
  const learner = numbers(line.logProbs);
  const sampler = numbers(line.behaviorLogProbs);
  const after = numbers(columns.logProbsAfter);
  const perToken = Array.isArray(line.advantage) ? line.advantage : undefined;
  return {
    ids,
    texts: textsOf(text(line.text) ?? '', numbers(line.tokenEnds), ids.length),
    parts: partsOf(line.thoughtMask, line.actionMask, ids.length),
    columns: columnsOf(ids.length, [
      ['logProb', 'log-prob', learner],
      ['entropy', 'entropy, nats', line.entropies],
      ['advantage', 'advantage', perToken],
      ['value', 'value', line.tokenValues],
      ['behavior', 'log-prob of the sampler', sampler],
      ['difference', 'learner minus sampler', differences(learner, sampler)],
      ['ratio', 'learner to sampler', differences(learner, sampler).map(Math.exp)],
      ['after', 'log-prob after the update', after],
      ['ratioAfter', 'ratio after the update', differences(after, learner).map(Math.exp)],
      ['sightGray', 'sight: picture against gray, nats', line.sightGray],
      ['sightWrong', 'sight: picture against a wrong one, nats', line.sightWrong],
      ['reference', 'log-prob of the reference', line.referenceLogProbs],
      ['kl', 'KL to the reference', line.referenceKl],
      ['teacher', 'log-prob of the teacher', line.teacherLogProbs],
      ['teacherKl', 'KL to the teacher', line.teacherKl],
    ]),
  };
}

const differences = (values: readonly number[], others: readonly number[]): number[] =>
  values.length === others.length ? values.map((value, token) => value - others[token]!) : [];

/** Columns with a number for each token. */
function columnsOf(
  length: number,
  given: readonly (readonly [name: string, title: string, values: unknown])[],
): Column[] {
  return given.flatMap(([name, title, values]) => {
    const column = list(values);
    return length > 0 && column.length === length ? [{ name, title, values: numbers(column) }] : [];
  });
}

function textsOf(response: string, ends: readonly number[], length: number): string[] {
  if (ends.length !== length) return new Array<string>(length).fill('');
  return ends.map((end, token) => response.slice(token === 0 ? 0 : ends[token - 1], end));
}

function partsOf(thought: unknown, action: unknown, length: number): string[] {
  const [thoughts, actions] = [list(thought), list(action)];
  return Array.from({ length }, (_, token) =>
    thoughts[token] === 1 ? 'thought' : actions[token] === 1 ? 'action' : '',
  );
}
