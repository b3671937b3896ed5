/** Checkpoints of a supervised run: the weights and the settings that they were trained with. */
import { join } from 'node:path';
import { writeFileAtomic } from '@vlgym/core/internal';
import { assertSameSettings, CheckpointDamagedError, CheckpointStore, FolderInUseError, type Policy } from '@vlgym/rl';
import { textIn } from '../folders/text-file.js';

export interface SftState {
  /** Optimizer steps done. */
  readonly step: number;
  /** The settings that identify a run. */
  readonly identity: Readonly<Record<string, unknown>>;
}

const storeIn = (folder: string) => new CheckpointStore(folder, 1);

export async function saveSft(folder: string, policy: Policy, state: SftState): Promise<void> {
  await storeIn(folder).write(state.step, async (path) => {
    const verified = (await policy.save(join(path, 'policy'))) ?? [];
    await writeFileAtomic(join(path, 'state.json'), JSON.stringify(state));
    return verified.map((file) => join('policy', file));
  });
}

/**
 * Puts the weights of the last checkpoint into the policy.
 *
 * @returns the steps that are done; 0 where nothing was saved yet.
 * @throws {FolderInUseError}        There is a run, and it is not to be continued.
 * @throws {CheckpointMismatchError} It was made with other settings or data.
 * @throws {CheckpointDamagedError}  Its checkpoint cannot be read, or has the layout of an earlier version.
 */
export async function resumeSft(
  folder: string,
  policy: Policy,
  { identity, resume }: Pick<SftState, 'identity'> & { readonly resume: boolean },
): Promise<number> {
  if ((await textIn(join(folder, 'sft.json'))) !== undefined) {
    throw new CheckpointDamagedError(folder, 'an earlier version wrote it in another layout, with sft.json');
  }
  const store = storeIn(folder);
  if (!resume && (await store.exists())) throw new FolderInUseError(folder);
  const step = await store.read(async (path) => {
    const state = JSON.parse((await textIn(join(path, 'state.json')))!) as SftState;
    assertSameSettings(folder, state.identity, identity);
    await policy.load(join(path, 'policy'));
    return state.step;
  });
  return step ?? 0;
}
