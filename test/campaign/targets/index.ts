/** All fuzz targets by group. */
import type { FuzzTarget } from '../support/fuzz-target.js';

export type TargetGroup = 'parsers' | 'spaces' | 'snapshots';

/** Loaded when asked for: a group pulls in whole packages. */
export async function targetsOf(group: TargetGroup): Promise<readonly FuzzTarget[]> {
  if (group === 'spaces') return (await import('./spaces.js')).spaceTargets;
  if (group === 'snapshots') return (await import('./snapshots.js')).snapshotTargets;
  const [{ textTargets }, { fileTargets }] = await Promise.all([import('./texts.js'), import('./files.js')]);
  return [...textTargets, ...fileTargets];
}
