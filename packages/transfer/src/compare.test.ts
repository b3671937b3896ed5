/** Comparisons of files that answer different questions, and files that answer a question twice. */
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, compareAnswers, compareSeeds, QuestionFileError, scoreAnswers, writeMiniature } from './index.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-compare-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const asked = async (id: string, answer: string, name: string, limit?: number) => {
  const { questions, frames } = await writeMiniature(id, folder);
  const out = join(folder, `${name}.jsonl`);
  await ask({ benchmark: id, questions, frames, model: { name, answer: () => answer }, out, limit });
  return out;
};

describe('a comparison', () => {
  it.each([
    ['own', 'B'],
    ['mme', 'Yes'],
  ])('of some answers of %s with all has both figures over the questions of both', async (id, answer) => {
    const all = await scoreAnswers(await asked(id, answer, 'all'));
    const some = await scoreAnswers(await asked(id, answer, 'some', 3));
    const { value } = some.summary;
    expect(value).not.toBe(all.summary.value);
    const both = { n: 3, before: value, after: value, difference: 0 };
    expect(compareAnswers(all, some)).toMatchObject({ ...both, onlyBefore: 9, onlyAfter: 0 });
    expect(compareAnswers(some, all)).toMatchObject({ ...both, onlyBefore: 0, onlyAfter: 9 });
    expect(compareSeeds(all, [some, some])).toMatchObject({
      n: 3,
      before: value,
      after: [value, value],
      difference: 0,
    });
  });

  it('of the same questions has the published figures', async () => {
    const before = await scoreAnswers(await asked('mme', 'No', 'before'));
    const after = await scoreAnswers(await asked('mme', 'Yes', 'after'));
    const figures = { before: before.summary.value, after: after.summary.value, onlyBefore: 0, onlyAfter: 0 };
    expect(compareAnswers(before, after)).toMatchObject({ n: 12, ...figures });
  });
});

describe('a file of answers', () => {
  it('is refused with a second answer to a question, where it is', async () => {
    const file = await asked('own', 'B', 'a');
    const lines = (await readFile(file, 'utf8')).split('\n');
    await appendFile(file, `${lines[1]}\n`);
    const place = `${file}, line 14`;
    await expect(scoreAnswers(file)).rejects.toMatchObject({ code: 'QUESTION_FILE', value: place });
    await expect(asked('own', 'B', 'a')).rejects.toThrow(QuestionFileError);
    const other = JSON.stringify({ ...JSON.parse(lines[2]!), key: JSON.parse(lines[1]!).key });
    await writeFile(file, `${[lines[0], lines[1], other].join('\n')}\n`);
    await expect(scoreAnswers(file)).rejects.toThrow(/line 3: the question ".+" has an answer already\./);
  });
});
