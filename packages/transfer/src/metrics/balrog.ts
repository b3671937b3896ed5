/** BALROG's figure over environments: the plain mean of each environment's mean progression, with standard errors. */
import { InvalidOptionError } from '@vlgym/core';
import { mean } from './means.js';

/** Every environment that BALROG has. */
const ALL = ['babyai', 'babaisai', 'crafter', 'textworld', 'minihack', 'nle'];

export interface BalrogEpisode {
  /** As BALROG names it, e.g. `babyai`. */
  readonly environment: string;
  /** 0 to 1. */
  readonly progression: number;
}

export interface BalrogFigure {
  /** In percent. */
  readonly progress: number;
  /** Population deviation over the square root of the number of episodes, in percent. */
  readonly standardError: number;
  readonly episodes: number;
}

export interface BalrogSummary extends BalrogFigure {
  /** `BALROG` for all six environments, otherwise with their number and names: the figures do not compare. */
  readonly name: string;
  readonly environments: Readonly<Record<string, BalrogFigure>>;
}

/** @throws {InvalidOptionError}  No episode, or a progression outside [0, 1]. */
export function balrogSummary(episodes: readonly BalrogEpisode[]): BalrogSummary {
  if (episodes.length === 0) throw new InvalidOptionError('episodes', episodes, 'at least one episode');
  const wrong = episodes.find(({ progression }) => !(progression >= 0 && progression <= 1));
  if (wrong) throw new InvalidOptionError('progression', wrong.progression, 'a number from 0 to 1');
  const names = [...new Set(episodes.map(({ environment }) => environment))];
  const environments = Object.fromEntries(
    names.map((name) => [
      name,
      figureOf(episodes.filter(({ environment }) => environment === name).map(({ progression }) => progression)),
    ]),
  );
  const figures = Object.values(environments);
  return {
    name: ALL.every((each) => names.includes(each)) ? 'BALROG' : `BALROG-${names.length} (${names.sort().join(', ')})`,
    progress: mean(figures.map(({ progress }) => progress)),
    standardError: Math.sqrt(figures.reduce((sum, figure) => sum + figure.standardError ** 2, 0)) / figures.length,
    episodes: episodes.length,
    environments,
  };
}

function figureOf(values: readonly number[]): BalrogFigure {
  const center = mean(values);
  const deviation = Math.sqrt(mean(values.map((value) => (value - center) ** 2)));
  return {
    progress: 100 * center,
    standardError: (100 * deviation) / Math.sqrt(values.length),
    episodes: values.length,
  };
}
