/** `cells.json` of a folder while its design runs: written after every run, one write after the other. */
import { join } from 'node:path';
import { GymError } from '@vlgym/core';
import type { RunResult } from '../../report/data.js';
import { StartDiffersError } from '../warm-start/given-start.js';
import { CELLS_SCHEMA, type CellsFile, type FinishedRun, placeKey, readCells, writeCells } from './cells.js';
import { configOf, measuredOf } from './finished-run.js';
import { thisMachine } from './machine.js';

/** Where a run stands in its design. */
export interface Place {
  readonly world: string;
  readonly arm: string;
  readonly block: string;
  readonly warmStart: number;
  readonly seed: number;
}

type Found = Pick<FinishedRun, 'load' | 'checksThoughts' | 'start'>;

export class CellsStore {
  readonly #folder: string;
  #file: CellsFile;
  /** Index of this machine. */
  readonly #machine: number;
  readonly #added = new Set<string>();
  #failures = 0;
  #writing: Promise<void> = Promise.resolve();

  private constructor(folder: string, file: CellsFile, machine: number) {
    this.#folder = folder;
    this.#file = file;
    this.#machine = machine;
  }

  /**
   * Continues what the folder holds.
   *
   * @throws {GymError} `DESIGN_CHANGED`: the folder holds the cells of another design. `CELLS_INVALID`.
   */
  static async open(folder: string, { data, digest }: { readonly data: unknown; readonly digest: string }) {
    const found = (await readCells(folder))?.file;
    if (found && found.digest !== digest) throw new DesignChangedError(folder, found.digest, digest);
    const file = found ?? { schema: CELLS_SCHEMA, digest, design: data, machines: [], configs: {}, runs: [] };
    const machine = await thisMachine();
    const known = file.machines.findIndex((each) => JSON.stringify(each) === JSON.stringify(machine));
    const machines = known < 0 ? [...file.machines, machine] : file.machines;
    return new CellsStore(folder, { ...file, machines }, known < 0 ? machines.length - 1 : known);
  }

  hasFinished(place: Place): boolean {
    return this.#file.runs.some((run) => run.status === 'finished' && placeKey(run) === placeKey(place));
  }

  /** @throws {GymError} `START_DIFFERS`: finished runs of this world, perhaps of another machine, began from other weights. */
  checkStart(world: string, folder: string, start: string | undefined): void {
    const other = this.#file.runs.find(
      (run) => run.world === world && run.status === 'finished' && run.start !== start,
    );
    if (other?.status === 'finished') throw new StartDiffersError(folder, other.start, start);
  }

  /** CPU time of all finished runs, without their evaluations. */
  get cpuSeconds(): number {
    const seconds = this.#file.runs.map((run) => (run.status === 'finished' ? run.measures['cpu-seconds'] : 0));
    return seconds.reduce((sum, each) => sum + each, 0);
  }

  /** In this process. */
  get failures(): number {
    return this.#failures;
  }

  /** Once per run; later calls change nothing. */
  add(place: Place, result: RunResult, { load, checksThoughts, start }: Found): void {
    if (this.#added.has(placeKey(place))) return;
    this.#added.add(placeKey(place));
    this.#write(async () => {
      const { key, config } = await configOf(result.folder);
      const run: FinishedRun = {
        ...placeOf(place),
        ...{ status: 'finished', config: key, machine: this.#machine, load, checksThoughts },
        ...(start !== undefined && { start }),
        ...(await measuredOf(result)),
      };
      this.#file = { ...this.#file, configs: { ...this.#file.configs, [key]: config } };
      this.#replace(run);
    });
  }

  fail(place: Place, error: string): void {
    this.#failures += 1;
    this.#write(async () => this.#replace({ ...placeOf(place), status: 'failed', error }));
  }

  /** After everything so far is on disk. @throws what a write threw. */
  written(): Promise<void> {
    return this.#writing;
  }

  #write(change: () => Promise<void>): void {
    this.#writing = this.#writing.then(async () => {
      await change();
      await writeCells(this.#folder, this.#file);
    });
    this.#writing.catch(() => {}); // `written` reports it
  }

  #replace(run: CellsFile['runs'][number]): void {
    this.#file = { ...this.#file, runs: [...this.#file.runs.filter((each) => placeKey(each) !== placeKey(run)), run] };
  }
}

const placeOf = ({ world, arm, block, warmStart, seed }: Place): Place => ({ world, arm, block, warmStart, seed });

/** The folder holds the cells of another design. */
class DesignChangedError extends GymError {
  constructor(folder: string, found: string, wanted: string) {
    super(`The cells in ${join(folder, 'cells.json')} belong to another design.`, {
      code: 'DESIGN_CHANGED',
      value: found,
      expected: wanted,
      hint: 'a design is not changed after its first run: name another folder with --out, or use the design of this one',
    });
  }
}
