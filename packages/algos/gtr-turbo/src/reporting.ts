/** Control runs of GTR-Turbo, and the charts about its teacher in reports. */
import type { AlgorithmChart, ControlOfAlgorithm } from '@vlgym/rl';

/** Is it the teacher that helps? */
export const klControls: Readonly<Record<string, ControlOfAlgorithm>> = {
  'beta-0': {
    title: 'GTR-Turbo, β = 0',
    says: 'GTR-Turbo (KL) with the teacher’s penalty off: what remains without its guidance.',
    set: { guidance: { klCoefficient: 0 } },
  },
  placebo: {
    title: 'GTR-Turbo, permuted penalties',
    says: 'GTR-Turbo (KL) with the penalties of each buffer permuted at random over its steps: as large as the teacher’s, without its knowledge.',
    set: { guidance: { permute: true } },
  },
};

/** Teacher and student on the same seeds, where `guidance.measureEvery` asks for it. */
export const teacherCharts: Readonly<Record<string, AlgorithmChart>> = {
  teacherSuccess: {
    metric: 'teacher/success-rate',
    title: 'Success of the teacher',
    says: 'on fixed seeds; guidance can only help where this is above the student’s',
  },
  studentSuccess: { metric: 'student/success-rate', title: 'Success of the student', says: 'on the same seeds' },
};

export const klCharts: Readonly<Record<string, AlgorithmChart>> = {
  ...teacherCharts,
  penaltyShare: {
    metric: 'teacher/penalty-share',
    title: 'Size of the teacher’s penalty',
    says: 'standard deviations of the penalty in those of the advantage; near 0 it has no effect',
  },
  teacherKl: { metric: 'teacher/kl-mean', title: 'Distance to the teacher', says: 'nats per thought token' },
};
