import { benchmark } from '@vlgym/transfer';

// the same answers under the rules of two years
const questions = [
  { question_id: '1', duration: 'short', answer: 'B' },
  { question_id: '2', duration: 'long', answer: 'C' },
];
const answers = ['A looks right at first. However the answer is B', 'C'];

for (const name of ['video-mme/lmms-eval-2025', 'video-mme/lmms-eval-2026']) {
  const { score, summarize } = benchmark(name);
  const judged = questions.map((row, i) => ({ row, verdict: score(row, answers[i]!) }));
  const { value, unit, invalidRate } = summarize(judged);
  console.log(name, value, unit, 'invalid', invalidRate);
}
