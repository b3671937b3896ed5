/** Asking, resuming, scoring under other rules and comparing, on the miniatures and on files of every kind. */
import { spawnSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnyAgent, policyAgent, randomAgent } from '@vlgym/agents';
import type { Completion, TokenModel } from '@vlgym/agents/model';
import { type ChatMessage, messageText } from '@vlgym/core';
import { encodePng } from '@vlgym/core/images';
import { writeParquet } from '@vlgym/datasets';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tfRecord } from '../test-support/tf-record.js';
import {
  type Answerer,
  AnswerFailedError,
  AnswersDifferError,
  agentAnswerer,
  ask,
  benchmark,
  compareAnswers,
  compareSeeds,
  FfmpegMissingError,
  frameIndices,
  JudgeMissingError,
  judgeAnswers,
  MINIATURES,
  NoJudgeError,
  QuestionFileError,
  readQuestions,
  scoreAnswers,
  writeMiniature,
} from './index.js';
import { framesOf } from './read/frames.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-transfer-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const saying = (text: string): Answerer => ({ name: 'script', answer: () => text });
const out = (name: string) => join(folder, name);

describe('a run', () => {
  it.each(MINIATURES)('of the miniature of %s is stored, and scored', async (id) => {
    const { questions, frames } = await writeMiniature(id, folder);
    const asked = await ask({ benchmark: id, questions, frames, model: saying('A'), out: out('a.jsonl') });
    expect(asked).toEqual({ answered: 12, before: 0, skipped: 0 });
    const { summary, answers } = await scoreAnswers(out('a.jsonl'));
    expect(answers).toHaveLength(12);
    expect(summary.value).toBeGreaterThanOrEqual(0);
    expect(answers[0]!.answer).toBe('A');
  });

  it('that is killed in the middle of a line goes on, with the same file as one that was not', async () => {
    const { questions } = await writeMiniature('muirbench', folder);
    const options = { benchmark: 'muirbench', questions, model: saying('B'), concurrency: 3 };
    await ask({ ...options, out: out('whole.jsonl') });
    const whole = await readFile(out('whole.jsonl'));
    for (const cut of [3, 700, whole.length - 5]) {
      await writeFile(out('cut.jsonl'), whole);
      await truncate(out('cut.jsonl'), cut);
      const { answered, before } = await ask({ ...options, out: out('cut.jsonl') });
      expect(answered + before).toBe(12);
      expect(await readFile(out('cut.jsonl'))).toEqual(whole);
    }
  });

  it('ends at an error of the model, and keeps the answers before it', async () => {
    const { questions } = await writeMiniature('erqa', folder);
    let calls = 0;
    const model: Answerer = {
      name: 'script',
      answer() {
        calls += 1;
        if (calls === 5) throw new Error('out of credit');
        return 'A';
      },
    };
    const options = { benchmark: 'erqa', questions, model, out: out('a.jsonl'), concurrency: 1 };
    await expect(ask(options)).rejects.toThrow('out of credit');
    expect(await ask(options)).toEqual({ answered: 8, before: 4, skipped: 0 });
  });

  it('does not go on with answers of another model', async () => {
    const { questions } = await writeMiniature('mme', folder);
    await ask({ benchmark: 'mme', questions, model: saying('Yes'), out: out('a.jsonl') });
    const other = { name: 'another', answer: () => 'No' };
    const again = ask({ benchmark: 'mme', questions, model: other, out: out('a.jsonl') });
    await expect(again).rejects.toThrow(AnswersDifferError);
  });

  it('does not go on with answers to other questions', async () => {
    const row = { id: 'a', question: 'How many?', answer: '1' };
    const options = { benchmark: 'own', questions: out('q.jsonl'), model: saying('1'), out: out('a.jsonl') };
    await writeFile(out('q.jsonl'), `${JSON.stringify(row)}\n`);
    await ask(options);
    await writeFile(out('q.jsonl'), `${JSON.stringify({ ...row, question: 'How few?' })}\n`);
    await expect(ask(options)).rejects.toThrow(/question a, has answers with another prompt/);
  });

  it('shows frames before the words, evenly spread', async () => {
    expect(frameIndices(100, 4)).toEqual([0, 33, 66, 99]);
    expect(frameIndices(2, 32)).toEqual([0, 1]);
    const { questions, frames } = await writeMiniature('video-mme', folder);
    const seen: string[] = [];
    const model: Answerer = {
      name: 'script',
      answer([message]) {
        const parts = message!.content as readonly { readonly type: string }[];
        seen.push(`${parts.map(({ type }) => type).join(' ')}: ${messageText(message!).slice(0, 22)}`);
        return '';
      },
    };
    await ask({ benchmark: 'video-mme', questions, frames, model, out: out('a.jsonl'), limit: 1 });
    expect(seen).toEqual(['image image image text: Select the best answer']);
  });
});

describe('a judge', () => {
  const JUDGED = 'lmms-eval-2026-judge';
  /** Names no option, but means the first. */
  const vague = saying('The one on top of the list, I believe.');
  const asked = async (model = vague) => {
    const { questions } = await writeMiniature('mmbench', folder);
    await ask({ benchmark: 'mmbench', questions, model, out: out('a.jsonl') });
    return out('a.jsonl');
  };

  it('reads the answers in which the rules find no option', async () => {
    const answers = await asked();
    const prompts: string[] = [];
    const model: Answerer = {
      name: 'first',
      answer([message]) {
        prompts.push(messageText(message!));
        return 'A';
      },
    };
    expect(await judgeAnswers({ answers, model })).toEqual({ judged: 12, before: 0, rules: JUDGED });
    expect(prompts[0]).toMatch(/^Question: .*\nA\. .*\n[\s\S]*Answer: The one on top/m);
    const { rules, summary, answers: scored } = await scoreAnswers(answers, JUDGED);
    expect(rules).toBe(`${JUDGED} (first)`);
    expect(summary.invalidRate).toBe(0);
    expect(new Set(scored.map(({ verdict }) => verdict.extracted))).toEqual(new Set(['A']));
    expect(summary.value).toBe(scored.filter(({ row }) => row.answer === 'A').length / 12);
    expect((await scoreAnswers(answers)).summary.invalidRate).toBe(1);
  });

  it('is not asked about answers that name an option, and goes on where it was stopped', async () => {
    expect(await judgeAnswers({ answers: await asked(saying('B')), model: saying('A') })).toMatchObject({ judged: 0 });
    await rm(out('a.jsonl'));
    await rm(out('a.jsonl.judge'));
    const answers = await asked();
    let calls = 0;
    const model: Answerer = {
      name: 'first',
      answer() {
        calls += 1;
        if (calls === 5) throw new Error('out of credit');
        return 'A';
      },
    };
    await expect(judgeAnswers({ answers, model, concurrency: 1 })).rejects.toThrow('out of credit');
    await expect(scoreAnswers(answers, JUDGED)).rejects.toThrow(JudgeMissingError);
    expect(await judgeAnswers({ answers, model, concurrency: 1 })).toMatchObject({ judged: 8, before: 4 });
  });

  it('that finds no option leaves the answer wrong', async () => {
    const answers = await asked();
    await judgeAnswers({ answers, model: saying('Z') });
    const { summary } = await scoreAnswers(answers, JUDGED);
    expect(summary).toMatchObject({ value: 0, invalidRate: 1 });
  });

  it('is refused where its readings are missing or of other answers, and where the rules ask none', async () => {
    const answers = await asked();
    await expect(scoreAnswers(answers, JUDGED)).rejects.toThrow(JudgeMissingError);
    await judgeAnswers({ answers, model: saying('A') });
    await expect(judgeAnswers({ answers, model: { name: 'another', answer: () => 'B' } })).rejects.toThrow(
      AnswersDifferError,
    );
    await rm(answers);
    await asked(saying('The last one.'));
    await expect(scoreAnswers(answers, JUDGED)).rejects.toThrow(AnswersDifferError);
    const { questions } = await writeMiniature('mme', folder);
    await ask({ benchmark: 'mme', questions, model: vague, out: out('mme.jsonl') });
    await expect(judgeAnswers({ answers: out('mme.jsonl'), model: vague })).rejects.toThrow(NoJudgeError);
  });
});

describe('frames of a video', () => {
  const seeing = (seen: number[]): Answerer => ({
    name: 'script',
    answer([message]) {
      const parts = message!.content as readonly { readonly type: string }[];
      seen.push(parts.filter(({ type }) => type === 'image').length);
      return 'A';
    },
  });
  const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

  it.skipIf(!hasFfmpeg)('are taken out of its file by ffmpeg, the same as extracted ones', async () => {
    const { questions, frames } = await writeMiniature('video-mme', folder);
    const videos = out('videos');
    await mkdir(join(videos, 'squares'), { recursive: true });
    for (const scene of [0, 1, 2, 3]) {
      const source = join(frames, 'squares', `scene-${scene}`, '%d.png');
      const to = join(videos, 'squares', `scene-${scene}.mkv`);
      const made = spawnSync('ffmpeg', ['-v', 'error', '-i', source, '-c:v', 'ffv1', '-pix_fmt', 'bgr0', to]);
      expect(made.status).toBe(0);
    }
    const row = { row: {}, file: questions, place: 'here' };
    const [taken, extracted] = [
      await framesOf({ videos }, 'squares/scene-1', 2, row),
      await framesOf({ frames }, 'squares/scene-1', 2, row),
    ];
    expect(taken).toEqual(extracted);
    const seen: number[] = [];
    await ask({ benchmark: 'video-mme', questions, videos, model: seeing(seen), out: out('a.jsonl') });
    expect(seen).toEqual(Array(12).fill(3));
    await writeFile(join(videos, 'squares', 'scene-2.mkv'), 'no video');
    await expect(framesOf({ videos }, 'squares/scene-2', 2, row)).rejects.toThrow('ffmpeg cannot read');
  });

  it('are refused where no folder has them, and outside of the folders', async () => {
    const { questions, frames } = await writeMiniature('video-mme', folder);
    const row = { row: {}, file: questions, place: 'line 3' };
    await expect(framesOf({ frames, videos: folder }, 'squares/none', 2, row)).rejects.toThrow(QuestionFileError);
    await expect(framesOf({ frames }, '../elsewhere', 2, row)).rejects.toThrow('outside');
    const asking = ask({ benchmark: 'video-mme', questions, model: saying('A'), out: out('a.jsonl') });
    await expect(asking).rejects.toThrow('videos');
  });

  it('need ffmpeg, and say so', async () => {
    const path = process.env.PATH;
    await writeFile(out('a.mp4'), 'no video');
    process.env.PATH = folder;
    try {
      const taking = framesOf({ videos: folder }, 'a', 2, { row: {}, file: '', place: 'here' });
      await expect(taking).rejects.toThrow(FfmpegMissingError);
    } finally {
      process.env.PATH = path;
    }
  });
});

describe('an agent', () => {
  it('that writes is asked in the words of the benchmark, once for each question', async () => {
    const { questions } = await writeMiniature('muirbench', folder);
    const asked: string[] = [];
    const ended: string[] = [];
    const agent = {
      name: 'writer',
      begin: ({ id }: { id: string }) => id,
      act: ({ messages = [], memory }: { messages?: readonly ChatMessage[]; memory?: string }) => {
        asked.push(`${memory} ${messageText(messages[0]!).split('\n')[0]}`);
        return { text: 'B' };
      },
      end: ({ memory }: { memory: string }) => void ended.push(memory),
    } as AnyAgent;
    await ask({ benchmark: 'muirbench', questions, model: agentAnswerer(agent), out: out('a.jsonl') });
    expect(new Set(asked).size).toBe(12);
    expect(ended).toHaveLength(12);
    expect(asked[0]).toMatch(/^question-\d+ What color is the square\? <image>$/);
    expect((await scoreAnswers(out('a.jsonl'))).summary.value).toBe(0.25);
  });

  it('without words chooses an option: the same one however many are asked at once', async () => {
    const { questions, frames } = await writeMiniature('vsi-bench', folder);
    const options = { benchmark: 'vsi-bench', questions, frames, model: agentAnswerer(randomAgent()) };
    await ask({ ...options, out: out('a.jsonl'), concurrency: 1 });
    await ask({ ...options, out: out('b.jsonl'), concurrency: 12 });
    const { answers } = await scoreAnswers(out('a.jsonl'));
    expect(answers.filter(({ row }) => row.options).map(({ answer }) => answer)).toEqual(
      Array(8).fill(expect.stringMatching(/^[A-D]$/)),
    );
    expect(await readFile(out('b.jsonl'))).toEqual(await readFile(out('a.jsonl')));
  });

  it('of a policy generates one batch at a time, and other weights do not go on with its answers', async () => {
    const { questions } = await writeMiniature('erqa', folder);
    const batches: number[] = [];
    const policy = (weights: string): TokenModel => ({
      ...{ name: 'tiny', version: 0, weightsDigest: () => weights },
      generate: async (prompts) => {
        batches.push(prompts.length);
        return prompts.map(
          () => ({ text: 'A', promptTokenIds: new Int32Array(1), tokenIds: new Int32Array(1) }) as Completion,
        );
      },
    });
    const options = { benchmark: 'erqa', questions, out: out('a.jsonl'), concurrency: 5 };
    await ask({ ...options, model: agentAnswerer(policyAgent(policy('sha256:1'), { temperature: 0 })) });
    expect(batches).toEqual([5, 5, 2]);
    const other = ask({ ...options, model: agentAnswerer(policyAgent(policy('sha256:2'), { temperature: 0 })) });
    await expect(other).rejects.toThrow(/another identity/);
  });

  it('that fails ends the run with its own code', async () => {
    const { questions } = await writeMiniature('mme', folder);
    const failure = { boundary: 'model', code: 'MODEL_TIMEOUT', message: 'too late' } as const;
    const agent: AnyAgent = { name: 'late', act: () => ({ text: '', error: failure }) };
    const run = ask({ benchmark: 'mme', questions, model: agentAnswerer(agent), out: out('a.jsonl') });
    await expect(run).rejects.toThrow(AnswerFailedError);
    await expect(run).rejects.toMatchObject({ code: 'MODEL_TIMEOUT', failure });
  });
});

describe('scores', () => {
  it('of stored answers follow the rules of each year', async () => {
    const { questions, frames } = await writeMiniature('vsi-bench', folder);
    const model = saying('about 1');
    await ask({ benchmark: 'vsi-bench/lmms-eval-2025', questions, frames, model, out: out('a.jsonl') });
    const [then, now] = [await scoreAnswers(out('a.jsonl')), await scoreAnswers(out('a.jsonl'), 'lmms-eval-2026')];
    expect(then.summary.parts['object_counting_MRA:.5:.95:.05']?.value).toBe(0);
    expect(now.summary.parts['object_counting_MRA:.5:.95:.05']?.value).toBe(1);
    expect(() => compareAnswers(then, now)).toThrow(AnswersDifferError);
  });

  it('of MuirBench tell questions without an answer from the others', () => {
    const options = ['red', 'None of the choices provided'];
    const row = (answer: string) => ({ options, answer, task: 'color' });
    const judged = (answer: string, score: number) => ({ row: row(answer), verdict: { score, invalid: false } });
    const { parts } = benchmark('muirbench').summarize([judged('A', 1), judged('A', 0), judged('B', 1)]);
    expect(parts).toMatchObject({ 'answerable: yes': { value: 0.5, n: 2 }, 'answerable: no': { value: 1, n: 1 } });
  });

  it('are refused for answers to other words', async () => {
    const { questions } = await writeMiniature('erqa', folder);
    await ask({ benchmark: 'erqa', questions, model: saying('A'), out: out('a.jsonl') });
    expect((await scoreAnswers(out('a.jsonl'), 'strict')).summary.value).toBe(0.25);
    await expect(scoreAnswers(out('a.jsonl'), 'lmms-eval-2026-reasoning')).rejects.toThrow(AnswersDifferError);
  });
});

describe('a comparison', () => {
  async function compared(id: string, before: string, after: string) {
    const { questions } = await writeMiniature(id, folder);
    await ask({ benchmark: id, questions, model: { ...saying(before), name: 'base' }, out: out('before.jsonl') });
    await ask({ benchmark: id, questions, model: { ...saying(after), name: 'tuned' }, out: out('after.jsonl') });
    return compareAnswers(await scoreAnswers(out('before.jsonl')), await scoreAnswers(out('after.jsonl')));
  }

  it('counts won and lost questions, with the exact test', async () => {
    const { n, won, lost, difference, pValue, test, undecidable } = await compared('own', 'none of them', 'B');
    expect({ n, won, lost, test, undecidable }).toEqual({ n: 12, won: 3, lost: 0, test: 'mcnemar', undecidable: true });
    expect(difference).toBe(0.25);
    expect(pValue).toBeCloseTo(0.25, 12); // two of eight ways to assign three changes
  });

  it('separates a better form from better answers', async () => {
    const { difference, invalidBefore, invalidAfter, amongValid } = await compared('muirbench', '(A)', 'A');
    expect(difference).toBe(0.25);
    expect([invalidBefore, invalidAfter]).toEqual([1, 0]);
    expect(amongValid).toEqual({ difference: undefined, n: 0 });
  });

  it('flips signs where scores are graded', async () => {
    const { test, won, lost, pValue } = await compared('visual-web-bench', 'red or blue', 'red');
    expect({ test, won, lost }).toEqual({ test: 'sign-flips', won: 3, lost: 3 });
    expect(pValue).toBeGreaterThan(0.05);
  });
});

const text = (value: string) => [Buffer.from(value)];

describe('a comparison over training seeds', () => {
  async function reports(id: string, ...answers: string[]) {
    const { questions, frames } = await writeMiniature(id, folder);
    return Promise.all(
      answers.map(async (text, i) => {
        await ask({
          benchmark: id,
          questions,
          frames,
          model: { ...saying(text), name: `m${i}` },
          out: out(`${i}.jsonl`),
        });
        return scoreAnswers(out(`${i}.jsonl`));
      }),
    );
  }

  it('of one seed is the comparison with it, and its noise is unknown', async () => {
    const [before, after] = await reports('own', 'none of them', 'B');
    const { difference, n, won, lost } = compareAnswers(before!, after!);
    const seeds = compareSeeds(before!, [after!]);
    expect(seeds).toMatchObject({ seeds: 1, difference, n, won: [won], lost: [lost], isSeedNoiseUnknown: true });
  });

  it('has a wider interval the more seeds differ, and counts won and lost of each', async () => {
    const [before, b, none, again] = await reports('muirbench', '(A)', 'B', 'nothing', 'B');
    const [equal, unequal] = [compareSeeds(before!, [b!, again!, b!]), compareSeeds(before!, [b!, none!, again!])];
    expect(equal).toMatchObject({ seeds: 3, isSeedNoiseUnknown: false, won: [3, 3, 3], difference: 0.25 });
    expect(unequal).toMatchObject({ won: [3, 0, 3], lost: [0, 0, 0], after: [0.25, 0, 0.25] });
    expect(unequal.difference).toBeCloseTo(1 / 6, 12);
    const width = ({ interval95: [low, high] }: typeof equal) => high - low;
    expect(equal.interval95).toEqual(compareSeeds(before!, [b!]).interval95);
    // by questions alone it would be two thirds as wide, as is the difference
    expect(width(unequal)).toBeGreaterThan((2 / 3) * width(equal));
  });

  it('takes questions of one video together', async () => {
    const [before, after] = await reports('vsi-bench', 'B', 'A');
    const scenes = new Set(before!.answers.map(({ cluster }) => cluster)).size;
    expect(scenes).toBeLessThan(before!.answers.length);
    const { difference, interval95 } = compareSeeds(before!, [after!, after!, after!]);
    expect(difference).toBeGreaterThanOrEqual(interval95[0]);
    expect(difference).toBeLessThanOrEqual(interval95[1]);
  });

  it('refuses no seed, and answers under other rules', async () => {
    const [before, after] = await reports('own', 'none of them', 'B');
    expect(() => compareSeeds(before!, [])).toThrow('after');
    expect(() => compareSeeds(before!, [{ ...after!, rules: 'others' }])).toThrow(AnswersDifferError);
  });
});

describe('files of questions', () => {
  const rowsOf = async (path: string) => {
    const rows = [];
    for await (const { row } of readQuestions(path)) rows.push(row);
    return rows;
  };

  it('are tables of VLMEvalKit, where a row may share the picture of another', async () => {
    const png = Buffer.from(encodePng({ data: new Uint8Array(300), width: 10, height: 10, channels: 3 }));
    const image = Buffer.concat([png, Buffer.alloc(60)]).toString('base64');
    const lines = ['index\tquestion\thint\timage', `1\t"Two\nlines, ""quoted"""\t\t${image}`, '1000001\tplain\tx\t1'];
    await writeFile(out('a.tsv'), `${lines.join('\n')}\n`);
    expect(await rowsOf(out('a.tsv'))).toEqual([
      { index: '1', question: 'Two\nlines, "quoted"', hint: null, image },
      { index: '1000001', question: 'plain', hint: 'x', image },
    ]);
    await appendFile(out('a.tsv'), '2\ttoo few\n');
    await expect(rowsOf(out('a.tsv'))).rejects.toThrow(/line 5: the row has 2 cells, not 4/);
  });

  it('are Parquet, with any columns', async () => {
    async function* examples() {
      yield { prompt: [{ role: 'user' as const, content: 'question' }], response: 'answer', source: '', group: '' };
    }
    await writeParquet(out('a.parquet'), examples());
    const [row] = await rowsOf(folder);
    expect(Object.keys(row!)).toEqual(expect.arrayContaining(['prompt', 'completion']));
  });

  it('are TFRecords, as ERQA is published: with pictures between the words, and checksums that tell damage', async () => {
    const png = encodePng({ data: new Uint8Array(300), width: 10, height: 10, channels: 3 });
    const question = {
      question: text('Left or right? A. left B. right'),
      answer: text('B'),
      'image/encoded': [png, png],
    };
    const offsets = { visual_indices: [0, 130], question_type: text('Pointing') };
    await writeFile(out('erqa.tfrecord'), Buffer.concat([question, { ...question, ...offsets }].map(tfRecord)));
    const [first, second] = await rowsOf(out('erqa.tfrecord'));
    expect(first).toEqual({
      question_id: '0',
      question: 'Left or right? A. left B. right',
      answer: 'B',
      images: [png, png],
    });
    expect(second).toMatchObject({ question_id: '1', visual_indices: [0, 130], question_type: 'Pointing' });
    const model = saying('B');
    expect(await ask({ benchmark: 'erqa', questions: folder, model, out: out('answers') })).toMatchObject({
      answered: 2,
    });
    expect((await scoreAnswers(out('answers'))).summary.value).toBe(1);
    const whole = await readFile(out('erqa.tfrecord'));
    for (const [at, problem] of [
      [3, /row 0: the checksum of its length is wrong/],
      [60, /row 0: its checksum is wrong/],
    ] as const) {
      await writeFile(out('erqa.tfrecord'), whole.with(at, whole[at]! ^ 1));
      await expect(rowsOf(out('erqa.tfrecord'))).rejects.toThrow(problem);
    }
    await writeFile(out('erqa.tfrecord'), whole.subarray(0, -9));
    await expect(rowsOf(out('erqa.tfrecord'))).rejects.toThrow(/row 1: the file ends in the middle of it/);
  });

  it('name the line that is broken, or leave it out', async () => {
    const row = { id: 'a', question: 'q', answer: '1' };
    await writeFile(
      out('q.jsonl'),
      `${[row, row, { ...row, id: 'b', question: 7 }].map((r) => JSON.stringify(r)).join('\n')}\n`,
    );
    const options = { benchmark: 'own', questions: out('q.jsonl'), model: saying('1') };
    await expect(ask({ ...options, out: out('a.jsonl') })).rejects.toThrow(/line 2: the question a occurs twice/);
    const problems: Error[] = [];
    const skipping = { ...options, onInvalid: 'skip' as const, onProblem: (problem: Error) => problems.push(problem) };
    expect(await ask({ ...skipping, out: out('b.jsonl') })).toEqual({ answered: 1, before: 0, skipped: 2 });
    expect(problems.map(({ message }) => message.split('\n')[0])).toEqual([
      expect.stringContaining('occurs twice'),
      "The question's `question` is 7.",
    ]);
    await expect(rowsOf(out('none.jsonl'))).rejects.toThrow(QuestionFileError);
  });
});
