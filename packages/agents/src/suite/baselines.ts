/** Scores that others have measured on an environment, for tables and reports. */
import { findRegistration } from '@vlgym/core';
import type { EnvBaseline } from '@vlgym/core/registry';
import type { EvaluateOptions } from '../evaluate/types.js';

/** Scores that the environment's registration declares; none with other options than the registered ones. */
export function publishedBaselines(env: EvaluateOptions['env']): readonly EnvBaseline[] {
  if (typeof env === 'function' || (typeof env === 'object' && 'reset' in env)) return [];
  const { id, options = {} } = typeof env === 'string' ? { id: env } : env;
  if (Object.keys(options).length > 0) return [];
  try {
    return findRegistration(id).baselines ?? [];
  } catch {
    return []; // not registered: making it says why
  }
}
