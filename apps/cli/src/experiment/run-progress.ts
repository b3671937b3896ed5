/** How far a run is, read from its folder: by a benchmark that continues, and by `vlgym status`. */
import { join } from 'node:path';
import type { UpdateRecord } from '@vlgym/rl';
import { jsonLinesIn } from '../folders/text-file.js';

/** Records of the updates done; the last line may be half written. */
export const readUpdates = async (folder: string): Promise<UpdateRecord[]> =>
  (await jsonLinesIn(join(folder, 'metrics.jsonl'))) as UpdateRecord[];

/** Updates done by the run in a folder; 0 where there is none. */
export const updatesDone = async (folder: string): Promise<number> => (await readUpdates(folder)).at(-1)?.update ?? 0;
