import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, compareAnswers, scoreAnswers, writeMiniature } from '@vlgym/transfer';

const folder = await mkdtemp(join(tmpdir(), 'transfer-'));
const { questions } = await writeMiniature('muirbench', folder);

// a model is a TokenModel of vlgym, or anything with a name that answers messages
const models = [
  { name: 'base', answer: () => 'The answer is (B).' },
  { name: 'tuned', answer: () => 'B' },
];
for (const model of models) {
  await ask({ benchmark: 'muirbench', questions, model, out: join(folder, `${model.name}.jsonl`) });
}

const [base, tuned] = await Promise.all(models.map(({ name }) => scoreAnswers(join(folder, `${name}.jsonl`))));
const { before, after, won, lost, pValue, invalidBefore, invalidAfter } = compareAnswers(base!, tuned!);
console.log({ before, after, won, lost, pValue, invalidBefore, invalidAfter });
