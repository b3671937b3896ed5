/**
 * Weights in the order in which they were published, and how stale others are next to the newest.
 *
 * A policy counts optimizer steps; staleness counts publications, of which an update of many steps is one.
 */
import { GymError } from '@vlgym/core';

/** Publications that are remembered; older weights are at least as stale. */
const REMEMBERED = 64;

export class PublishedVersions {
  #versions: number[];

  constructor(versions: readonly number[] = []) {
    this.#versions = [...versions];
  }

  /** @throws {GymError} `VERSION_REVERSED`: weights older than those published last. */
  publish(version: number): void {
    const last = this.#versions.at(-1);
    if (last === version) return;
    if (last !== undefined && version < last) {
      throw new GymError(`Version ${version} was published after version ${last}.`, {
        code: 'VERSION_REVERSED',
        value: version,
        expected: `${last} or more`,
        hint: 'continue from the newest checkpoint of this run',
      });
    }
    this.#versions = [...this.#versions, version].slice(-REMEMBERED);
  }

  /**
   * How many publications ago these weights were the newest. Weights between two publications count as the older one.
   *
   * @throws {GymError} `TOKEN_VERSION_UNKNOWN`: newer than the newest.
   */
  stalenessOf(version: number): number {
    const newest = this.#versions.at(-1);
    if (newest === undefined || version > newest) {
      throw new GymError(`Tokens were sampled by version ${version}, which the learner does not have.`, {
        code: 'TOKEN_VERSION_UNKNOWN',
        value: version,
        expected: `${newest ?? 'no version'} or older`,
        hint: 'the samplers serve weights of another run, or the run was continued from an older checkpoint',
      });
    }
    const ago = this.#versions.findLastIndex((published) => published <= version);
    return ago < 0 ? this.#versions.length : this.#versions.length - 1 - ago;
  }

  save(): number[] {
    return [...this.#versions];
  }
}
