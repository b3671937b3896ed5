/** All trajectories of a folder, in the order in which they ended. */
import { readTrajectories, type Trajectory } from '@vlgym/core/trajectory';

export async function recorded(folder: string): Promise<Trajectory[]> {
  const all: Trajectory[] = [];
  for await (const trajectory of readTrajectories(folder)) all.push(trajectory);
  return all;
}
