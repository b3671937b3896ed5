/**
 * The premise of merged teachers, measured: the merge against the newest weights, on the same fixed seeds
 * (`docs/specs/algorithms.md` 7.7). Wins and losses count seeds on which only one of them succeeds.
 */
import type { Run } from '@vlgym/rl';

export async function measureTeacher({
  playFixedSeeds,
  metrics,
}: Pick<Run, 'playFixedSeeds' | 'metrics'>): Promise<void> {
  if (!playFixedSeeds) return;
  await metrics.timed('measurement', async () => {
    const teacher = await playFixedSeeds('teacher');
    const student = await playFixedSeeds('current');
    const succeeded = new Map(student.episodes.map(({ seed, success }) => [seed, success]));
    const both = teacher.episodes.filter(({ seed }) => succeeded.has(seed));
    metrics.setAll({
      'teacher/success-rate': teacher.successRate,
      'teacher/success-episodes': teacher.counted,
      'student/success-rate': student.successRate,
      'student/success-episodes': student.counted,
      ...(teacher.thoughtRate !== undefined && { 'teacher/thought-correct': teacher.thoughtRate }),
      ...(student.thoughtRate !== undefined && { 'student/thought-correct': student.thoughtRate }),
      'teacher/wins': both.filter(({ seed, success }) => success && !succeeded.get(seed)).length,
      'teacher/losses': both.filter(({ seed, success }) => !success && succeeded.get(seed)).length,
    });
  });
}
