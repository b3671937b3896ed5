/** Helpers for the tests of `npm run small`: a policy to encode with, and environments that open at once. */
import { type AnyEnv, make } from '@vlgym/core';
import type { WarmStartPlan } from '../../scripts/small/lesson.js';
import { lessons } from '../../scripts/small/lessons.js';
import { createPolicy } from '../../src/index.js';

/** It encodes for all files of a process, and is closed by its end. */
export const policy = await createPolicy({ preset: 'small' });

/** The training side of a lesson; the shop has 100 products. */
export async function openLesson(lesson: WarmStartPlan): Promise<AnyEnv> {
  const catalog = lesson === lessons.webshop ? { catalog: { products: 100, seed: 0 } } : {};
  return (await make(lesson.env, { options: { ...lesson.options, ...catalog, ...lesson.splits.train } })) as AnyEnv;
}
