/** How far a run is, read from its folder: by a benchmark that goes on, and by `vlgym status`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { UpdateRecord } from '@vlgym/rl';

/** Records of the updates done; the last line may be half written. */
export async function readUpdates(folder: string): Promise<UpdateRecord[]> {
  const text = await readFile(join(folder, 'metrics.jsonl'), 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as UpdateRecord];
    } catch {
      return [];
    }
  });
}

/** Updates done by the run in a folder; 0 where there is none. */
export const updatesDone = async (folder: string): Promise<number> => (await readUpdates(folder)).at(-1)?.update ?? 0;
