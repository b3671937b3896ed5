/**
 * The algorithms that the command line knows by name: those it depends on, and those that code of the user registers or
 * exports. `vl-dac:NAME` is a variant: the same algorithm with its own name and settings.
 */
import { presets as baselines } from '@vlgym/baselines';
import { closest } from '@vlgym/core';
import { presets as gtrTurbo } from '@vlgym/gtr-turbo';
import { type AlgorithmChart, type Presets, registerAlgorithms, registeredAlgorithms } from '@vlgym/rl';
import { presets as vlDac } from '@vlgym/vl-dac';
import { UsageError } from '../command-line/usage-error.js';
import type { AlgorithmControl } from './controls/control.js';

registerAlgorithms({ ...gtrTurbo, ...vlDac, ...baselines });

export const algorithmNames = (): string[] => Object.keys(registeredAlgorithms());

/** `vl-dac:wide` → `['vl-dac', 'wide']`; a drive letter of Windows is not an algorithm. */
export function variantOf(name: string): readonly [base: string, variant?: string] {
  const [, base, variant] = /^(.{2,}):([\w-]+(?:\.[\w-]+)*)$/.exec(name) ?? [];
  return base === undefined || variant === undefined ? [name] : [base, variant];
}

export function titleOf(name: string): string {
  const [base, variant] = variantOf(name);
  const title = registeredAlgorithms()[base]?.title ?? base;
  return variant === undefined ? title : `${title} (${variant})`;
}

/** Control runs that algorithms define for comparisons. @throws {UsageError} Two controls have the same name. */
export function algorithmControls(): AlgorithmControl[] {
  const all = Object.entries(registeredAlgorithms()).flatMap(([algorithm, { controls = {} }]) =>
    Object.entries(controls).map(([name, control]) => ({ kind: 'algorithm' as const, name, algorithm, ...control })),
  );
  const twice = all.find(({ name }, index) => all.findIndex((other) => other.name === name) < index);
  if (!twice) return all;
  throw new UsageError(`Two algorithms define a control "${twice.name}".`, {
    hint: `rename the one of ${twice.algorithm}`,
  });
}

/** Curves that algorithms define, by the name of their series. */
export const algorithmCharts = (): Readonly<Record<string, AlgorithmChart>> =>
  Object.assign({}, ...Object.values(registeredAlgorithms()).map(({ charts = {} }) => charts));

/** @throws {UsageError} No preset has this name. */
export function presetOf(name: string): Presets[string] {
  const [base] = variantOf(name);
  const preset = registeredAlgorithms()[base];
  if (preset) return preset;
  const near = closest(base, algorithmNames());
  throw new UsageError(`Unknown algorithm "${base}".`, {
    expected: `one of ${algorithmNames().join(', ')}, or a file of yours: ./my-algorithm.ts`,
    ...(near ? { hint: `did you mean "${near}"?` } : { hint: 'vlgym algorithms lists them' }),
  });
}
