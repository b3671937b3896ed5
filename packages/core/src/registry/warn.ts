/** Warnings: each is given once, through a sink that an application or a test can replace. */

import type { Env } from '../env.js';
import { registryState } from './state.js';
import type { GymWarning, WarningSink } from './types.js';

function defaultSink({ code, message }: GymWarning): void {
  if (typeof process !== 'undefined' && typeof process.emitWarning === 'function') {
    process.emitWarning(message, { type: 'VlgymWarning', code });
  } else {
    console.warn(`VlgymWarning [${code}]: ${message}`);
  }
}

/** Gives a warning, at most once per code and message. */
export function warn(code: string, message: string): void {
  const state = registryState();
  const key = `${code}\n${message}`;
  if (state.warned.has(key)) return;
  state.warned.add(key);
  (state.sink ?? defaultSink)({ code, message });
}

/** `render` without a mode returns nothing; as in Gymnasium, a warning says so. */
export function warnWithoutRenderMode({ renderMode, metadata, spec }: Env): void {
  if (renderMode !== undefined || metadata.renderModes.length === 0) return;
  const id = spec?.id ?? 'id';
  const modes = metadata.renderModes.map((mode) => `'${mode}'`).join(' or ');
  warn('NO_RENDER_MODE', `\`render\` shows nothing without a mode: make('${id}', { renderMode: ${modes} }).`);
}

/**
 * Sends warnings elsewhere (`undefined`: back to `process.emitWarning` or `console.warn`) and forgets which were given.
 *
 * @returns The sink that was set before.
 */
export function setWarningSink(sink: WarningSink | undefined): WarningSink | undefined {
  const state = registryState();
  const before = state.sink;
  state.sink = sink;
  state.warned.clear();
  return before;
}
