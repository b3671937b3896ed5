/** A whole policy to a checkpoint and back: every set of weights, the optimizer, the generator of dropout. */
import { type Generator, type Tensor, tidy } from '@vlgym/gpu';
import { storedDtype } from '../../pretrained/shards.js';
import type { PolicyOptimizer } from '../policy-optimizer.js';
import {
  assertSameTensors,
  disposeAll,
  type Identity,
  type Manifest,
  type ReadCheckpoint,
  readCheckpoint,
  type TensorFile,
  writeCheckpoint,
} from './checkpoint.js';
import type { WeightSets } from './weight-sets.js';

export interface PolicyState {
  readonly sets: WeightSets;
  readonly optimizer: PolicyOptimizer;
  readonly generator: Generator;
}

const SETS = ['current', 'reference', 'teacher'] as const;

/**
 * @returns The files that `restorePolicy` verifies by their checksums.
 * @throws {FileWriteError | SafetensorsWriteError} The earlier checkpoint, if any, is still there, whole.
 */
export function savePolicy(
  folder: string,
  { sets, optimizer, generator }: PolicyState,
  manifest: Omit<Parameters<typeof writeCheckpoint>[1], 'optimizerSteps'>,
): Promise<readonly string[]> {
  const { steps, tensors } = optimizer.stateDict();
  const inMemory = () => {
    const files: Partial<Record<TensorFile, Map<string, Tensor>>> = {
      optimizer: new Map([...tensors, ['generator', generator.getState()]]),
    };
    for (const set of SETS) {
      const state = sets.tensors(set);
      if (state) files[set] = state;
    }
    return files;
  };
  return writeCheckpoint(folder, { ...manifest, optimizerSteps: [...steps] }, inMemory, (path) =>
    sets.saveTeacher(path),
  );
}

/**
 * Compares everything first, then copies.
 *
 * @param weightsOnly  Neither the optimizer nor θ_0 and teacher: θ_0 is then the current set of the checkpoint.
 * @throws {CheckpointMismatchError}  Another model, or another way of training; names the first difference.
 * @throws {CheckpointDamagedError}   Missing, truncated or damaged. Nothing has changed in either case.
 */
export async function restorePolicy(
  folder: string,
  state: PolicyState,
  identity: Identity,
  weightsOnly = false,
): Promise<Manifest> {
  const opensTeacher = state.sets.adapters.length > 0;
  const read = await readCheckpoint(folder, identity, { opensTeacher, ...(weightsOnly && { files: ['current'] }) });
  try {
    tidy(() => copyInto(state, folder, read, weightsOnly));
  } finally {
    for (const file of read.tensors.values()) disposeAll(file);
    read.teacherFile?.close();
  }
  return read.manifest;
}

function copyInto(
  { sets, optimizer, generator }: PolicyState,
  folder: string,
  { manifest, tensors, teacherFile }: ReadCheckpoint,
  weightsOnly: boolean,
): void {
  const layout = sets.layout(tensors.get('current') ?? new Map());
  for (const set of SETS) {
    const found = tensors.get(set);
    // a missing set is θ_0; where the policy keeps no θ_0, a saved one is left out
    if (set !== 'current' && (!found || layout[set].size === 0)) continue;
    assertSameTensors(folder, set, found ?? new Map(), layout[set]);
  }
  if (teacherFile) {
    const found = teacherFile.keys().map((name) => {
      const { shape, dtype } = teacherFile.entry(name);
      return [name, { shape, dtype: storedDtype(dtype) ?? dtype }] as const;
    });
    assertSameTensors(folder, 'teacher', new Map(found), layout.teacher);
  }
  if (weightsOnly) optimizer.reset();
  else {
    const moments = new Map(tensors.get('optimizer'));
    const generatorState = moments.get('generator');
    moments.delete('generator');
    optimizer.loadState({ steps: manifest.optimizerSteps, tensors: moments });
    if (generatorState) generator.setState(generatorState);
  }
  sets.restore({
    current: tensors.get('current')!,
    reference: tensors.get('reference'),
    teacher: tensors.get('teacher'),
  });
  if (teacherFile) sets.restoreTeacher(teacherFile);
}
