/**
 * A policy in a folder: `policy.json` and safetensors files next to it.
 *
 * Every file is written whole under a new name, and `policy.json`, replaced last, says which ones belong together: a
 * process killed at any moment leaves the earlier checkpoint or the new one. Files no longer named are removed after.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileProblem, readRegularFile, settleAll, sha256OfFile, writeFileAtomic } from '@vlgym/core/internal';
import { safetensors, type Tensor, tidy } from '@vlgym/gpu';
import { assertSameSettings, CheckpointDamagedError, CheckpointMismatchError } from '@vlgym/rl';
import { z } from 'zod';
import type { LanguageModel } from '../../language-model.js';
import type { TextTokenizer } from '../../tokenizer/tokenizer.js';
import { trainingSchema, trainingToData } from '../training.js';
import type { VlmPolicyOptions } from '../vlm-policy-options.js';

export type TensorFile = 'current' | 'reference' | 'teacher' | 'optimizer';

const optimizerSchema = z.object({
  kind: z.enum(['adam', 'adamw', 'muon']),
  betas: z.tuple([z.number(), z.number()]),
  eps: z.number(),
  weightDecay: z.number(),
  bfloat16: z.boolean().optional(),
});

const manifestSchema = z.object({
  format: z.literal('vlgym-policy'),
  formatVersion: z.literal(1),
  name: z.string(),
  /** Name of a preset that brings its tokenizer, or the folder of a tokenizer. */
  tokenizer: z.string(),
  /** SHA-256 of its definition: the folder may hold another tokenizer by now. */
  tokenizerSha256: z.string(),
  dtype: z.enum(['float32', 'float64', 'bfloat16', 'float16']),
  /** The folder that the weights before training came from, and its digest; absent if they were drawn at random. */
  base: z.object({ folder: z.string(), sha256: z.string() }).optional(),
  /** Name of the model family; absent in checkpoints from before there was more than one. */
  family: z.string().default('tiny'),
  /** As the family defines it. */
  config: z.record(z.string(), z.json()),
  training: trainingSchema,
  optimizer: optimizerSchema,
  /** Optimizer steps so far. */
  version: z.number().int().nonnegative(),
  /** Updates of each trained parameter, value head last. */
  optimizerSteps: z.array(z.number().int().nonnegative()),
  /** Counts the saves into this folder; part of the file names. */
  save: z.number().int().positive(),
  files: z.partialRecord(z.enum(['current', 'reference', 'teacher', 'optimizer']), z.string()),
  /** SHA-256 of the files, in hexadecimal; absent in checkpoints from before there were checksums. */
  sha256: z.partialRecord(z.enum(['current', 'reference', 'teacher', 'optimizer']), z.string()).optional(),
});

export type Manifest = z.output<typeof manifestSchema>;
/** The settings that must be equal for a checkpoint to fit a policy. */
export type Identity = Pick<Manifest, 'family' | 'config' | 'training' | 'dtype' | 'tokenizerSha256'> & {
  /** The digest of the folder that the weights before training came from. */
  readonly baseSha256?: string | undefined;
};

export function identityOf(
  language: LanguageModel,
  tokenizer: TextTokenizer,
  { family, training, base }: Pick<VlmPolicyOptions, 'family' | 'training' | 'base'>,
): Identity {
  return {
    family,
    config: language.config as unknown as Manifest['config'],
    training: trainingToData(training, language.adapterTargets),
    dtype: language.dtype as Manifest['dtype'],
    tokenizerSha256: tokenizer.sha256,
    // absent where the weights were drawn: digests of such policies stay what they were
    ...(base && { baseSha256: base.sha256 }),
  };
}

const MANIFEST = 'policy.json';
const MAX_MANIFEST_BYTES = 2 ** 26;

/** @throws {CheckpointDamagedError} The manifest is missing or cannot be read. */
export async function readManifest(folder: string): Promise<Manifest> {
  try {
    return manifestSchema.parse(JSON.parse(await readRegularFile(join(folder, MANIFEST), MAX_MANIFEST_BYTES)));
  } catch (cause) {
    throw new CheckpointDamagedError(folder, `its ${MANIFEST} is missing or of another version`, cause);
  }
}

/**
 * @param saveTeacher  Writes the file of the teacher where its tensors are not in memory; false where it has not.
 * @returns The files whose checksums the manifest holds.
 * @throws {FileWriteError | SafetensorsWriteError} The earlier checkpoint, if any, is still there, whole.
 */
export async function writeCheckpoint(
  folder: string,
  manifest: Omit<Manifest, 'save' | 'files' | 'sha256' | 'format' | 'formatVersion'>,
  tensors: () => Partial<Record<TensorFile, ReadonlyMap<string, Tensor>>>,
  saveTeacher: (path: string) => boolean = () => false,
): Promise<readonly string[]> {
  const before = await readManifest(folder).catch(() => undefined);
  const number = (before?.save ?? 0) + 1;
  await mkdir(folder, { recursive: true });
  const files: Manifest['files'] = {};
  // `save` copies before its first await, so that the views need not outlive this scope
  const writes: Promise<void>[] = [];
  tidy(() => {
    for (const [file, state] of Object.entries(tensors()) as [TensorFile, ReadonlyMap<string, Tensor>][]) {
      files[file] = `${file}-${number}.safetensors`;
      writes.push(safetensors.save(join(folder, files[file]), state));
    }
  });
  await settleAll(writes);
  const teacher = `teacher-${number}.safetensors`;
  if (saveTeacher(join(folder, teacher))) files.teacher = teacher;
  const sha256: Manifest['sha256'] = {};
  for (const [file, name] of Object.entries(files) as [TensorFile, string][]) {
    sha256[file] = await sha256OfFile(join(folder, name));
  }
  const whole: Manifest = { format: 'vlgym-policy', formatVersion: 1, ...manifest, save: number, files, sha256 };
  await writeFileAtomic(join(folder, MANIFEST), `${JSON.stringify(whole, null, 2)}\n`);
  await removeOthers(folder, new Set(Object.values(files)));
  return Object.values(files);
}

export interface ReadCheckpoint {
  readonly manifest: Manifest;
  readonly tensors: Map<TensorFile, Map<string, Tensor>>;
  /** The file of the teacher, where it was not to be read whole. */
  readonly teacherFile?: safetensors.SafetensorsFile | undefined;
}

/**
 * The manifest and the tensors of a checkpoint; the caller disposes the tensors.
 *
 * @param files         Read these alone; default all.
 * @param opensTeacher  Open the file of the teacher instead of reading it.
 * @throws {CheckpointMismatchError}  It belongs to another model or way of training; names the first difference.
 * @throws {CheckpointDamagedError}   A file is missing, truncated or damaged.
 */
export async function readCheckpoint(
  folder: string,
  identity: Identity,
  { opensTeacher, files }: { readonly opensTeacher: boolean; readonly files?: readonly TensorFile[] },
): Promise<ReadCheckpoint> {
  const manifest = await readManifest(folder);
  const { family, config, training, dtype, tokenizerSha256, base } = manifest;
  const found: Identity = { family, config, training, dtype, tokenizerSha256, baseSha256: base?.sha256 };
  assertSameSettings(folder, found, identity);
  const tensors = new Map<TensorFile, Map<string, Tensor>>();
  let teacherFile: safetensors.SafetensorsFile | undefined;
  for (const [file, name] of Object.entries(manifest.files) as [TensorFile, string][]) {
    if (files && !files.includes(file)) continue;
    try {
      const path = join(folder, name);
      const problem = await fileProblem(folder, { path: name, sha256: manifest.sha256?.[file] });
      if (problem) throw new CheckpointDamagedError(folder, problem);
      if (file === 'teacher' && opensTeacher) teacherFile = new safetensors.SafetensorsFile(path);
      else tensors.set(file, safetensors.load(path));
    } catch (cause) {
      for (const state of tensors.values()) disposeAll(state);
      if (cause instanceof CheckpointDamagedError) throw cause;
      throw new CheckpointDamagedError(folder, `${name} is truncated or damaged`, cause);
    }
  }
  return { manifest, tensors, teacherFile };
}

/** @throws {CheckpointMismatchError} Names or shapes of `found` are not those of `wanted`. */
export function assertSameTensors(
  folder: string,
  file: TensorFile,
  found: ReadonlyMap<string, { readonly dtype: string; readonly shape: readonly number[] }>,
  wanted: ReadonlyMap<string, { readonly dtype: string; readonly shape: readonly number[] }>,
): void {
  for (const name of new Set([...wanted.keys(), ...found.keys()])) {
    const [foundKind, wantedKind] = [found.get(name), wanted.get(name)].map(
      (tensor) => tensor && `${tensor.dtype} [${tensor.shape}]`,
    );
    if (foundKind !== wantedKind) throw new CheckpointMismatchError(folder, `${file} ${name}`, foundKind, wantedKind);
  }
}

export function disposeAll(tensors: ReadonlyMap<string, Tensor>): void {
  for (const tensor of tensors.values()) tensor.dispose();
}

async function removeOthers(folder: string, named: ReadonlySet<string>): Promise<void> {
  const tensorFile = /^(current|reference|teacher|optimizer)-\d+\.safetensors$/;
  for (const name of await readdir(folder)) {
    if (tensorFile.test(name) && !named.has(name)) await rm(join(folder, name), { force: true });
  }
}
