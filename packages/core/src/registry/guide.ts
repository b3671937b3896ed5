/** The guide of an environment for people: as it is registered, or as its options make it. */
import type { EnvGuide } from './packages/declaration.js';
import type { EnvRegistration } from './types.js';

/** @param options  Given in addition to those of the registration. */
export function guideOf(
  { guide, options = {} }: Pick<EnvRegistration, 'guide' | 'options'>,
  given: Readonly<Record<string, unknown>> = {},
): EnvGuide | undefined {
  return typeof guide === 'function' ? guide({ ...options, ...given }) : guide;
}
