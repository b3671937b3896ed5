/** `--device`: where a model computes. Apart from what opens the device, because every command loads its options. */
import { z } from 'zod';

export const deviceOption = {
  device: z
    .string()
    .regex(/^(?:cpu|cuda(?::\d{1,3})?)$/, 'cpu, cuda or cuda:N')
    .optional()
    .describe(
      'where the model computes: cpu (default), cuda, or cuda:1; several processes with cuda take one device each',
    ),
};
