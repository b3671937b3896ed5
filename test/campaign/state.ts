/** The state of a campaign between two calls: one JSON file in its folder. */
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GymError } from '@vlgym/core';
import { writeFileAtomic } from '@vlgym/core/internal';
import type { FoundFinding } from './attack.js';

export interface AttackState {
  /** Cases done; the next one has this number. */
  cases: number;
  seconds: number;
  /** Counts of actions, by unit. */
  counts: Record<string, number>;
  /** The reason why it did not run in the last call. */
  unavailable?: string;
}

export interface CampaignState {
  readonly seed: number;
  /** Commit of the sources, with `+` where the tree differs from it. */
  readonly commit: string;
  readonly attacks: Record<string, AttackState>;
  readonly findings: FoundFinding[];
}

const FILE = 'state.json';

/** The state in the folder, or a fresh one. @throws {GymError} CAMPAIGN_DIFFERS */
export async function openState(folder: string, seed: number, commit: string): Promise<CampaignState> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, FILE);
  if (!existsSync(path)) return { seed, commit, attacks: {}, findings: [] };
  const state = JSON.parse(await readFile(path, 'utf8')) as CampaignState;
  for (const [field, value] of Object.entries({ seed, commit })) {
    const saved = state[field as 'seed' | 'commit'];
    if (saved === value) continue;
    throw new GymError(`The campaign in ${folder} has ${field} ${saved}, not ${value}.`, {
      code: 'CAMPAIGN_DIFFERS',
      value,
      expected: `${field} ${saved}`,
      hint: 'name another folder with --out, or remove this one',
    });
  }
  return state;
}

export function saveState(folder: string, state: CampaignState): Promise<void> {
  return writeFileAtomic(join(folder, FILE), JSON.stringify(state, null, 2));
}
