/**
 * Sets of weights behind one model: current (trained), reference (θ_0), teacher (θ_0 plus task vectors), and old (a copy
 * that lasts for one update).
 *
 * A set is the tensors that differ from the model's own parameters. To compute with it, handles are exchanged for the
 * time of one synchronous call; no second module tree exists. Training with adapters keeps the base as it is, bit for bit:
 * what a warm start taught stays next to it in factors of its own (`LoraAdapter.start`), so that base and adapter are the
 * whole policy for every other program. The reference is the base with those, the old weights are the factors of then, and
 * the teacher is a file of bits that are read into the base while it computes (`xor-patch.ts`). Training all weights keeps
 * copies.
 *
 * Sampling, scoring and training compute adapters in the same way, next to the weights: a sum rounded to bfloat16 would
 * not see a young adapter, and ratios would not start at one.
 */
import { noGrad, type Parameter, type Generator as Random, type safetensors, type Tensor, tidy } from '@vlgym/gpu';
import type { WeightSet } from '@vlgym/rl';
import { type AdaptedWeight, adapterNames, attachAdapters } from '../../adapters/attach-adapters.js';
import type { AdapterUse } from '../../adapters/lora.js';
import { publishedWeights } from '../../adapters/published-weights.js';
import type { ActorCritic } from '../../layers/actor-critic.js';
import { copies, copy, disposeOverrides, type Overrides } from '../overrides.js';
import type { Training } from '../training.js';
import { ChangingWeights, viewsOf } from './changing-weights.js';
import { deltaOf, mergedOf } from './dense-weights.js';
import { layStart, restoreStart, type TensorLayout } from './start-factors.js';
import { TeacherWeights } from './teacher-weights.js';
import { WeightsInPlace } from './weights-in-place.js';

/** Checkpoints are written between updates, where no old weights are needed. */
type SavedSet = Exclude<WeightSet, 'old'>;

type SavedTensors = { readonly [Set in SavedSet]?: ReadonlyMap<string, Tensor> | undefined };

/** Weights that are not part of the output layer, whatever the family. */
const INNER = /\.(layers|blocks)\.\d+\./;

/** Weights of the decoder and the output layer. */
const LANGUAGE = /^(?:model\.(?:(?:language|text)_model\.)?(?:embed_tokens|layers\.\d+|norm)|lm_head)\./;

export class WeightSets {
  /** What the optimizer moves: factors of adapters, or all parameters except those of the value head. */
  readonly trained: readonly Parameter[];
  /** Those of `trained` that are matrices inside layers. */
  readonly matrices: ReadonlySet<Parameter>;
  readonly #changing: ChangingWeights;
  readonly #teacher: TeacherWeights;
  /** The weights at the last `keepOld`. */
  #old: Overrides | null = null;
  /** The base is not what its folder holds: a checkpoint from before there were start factors has brought another one. */
  #changedBase = false;
  readonly #hasStoredBase: boolean;
  readonly #inPlace: WeightsInPlace;

  /**
   * @param options.hasStoredBase   The base's weights are in a folder of their own, so that checkpoints need not repeat them.
   * @param options.keepsReference  Copy θ_0 where all weights are trained; default true.
   */
  constructor(
    readonly network: ActorCritic,
    training: Training,
    generator: Random,
    { hasStoredBase = false, keepsReference = true }: { hasStoredBase?: boolean; keepsReference?: boolean } = {},
  ) {
    this.#hasStoredBase = hasStoredBase && training !== 'full';
    if (training === 'full') {
      network.requiresGrad_(true);
      const weights = publishedWeights(network).filter(({ name }) => !name.startsWith('value_head.'));
      this.trained = [...new Set(weights.map(({ parameter }) => parameter))];
      const inner = weights.filter(({ name, parameter }) => INNER.test(name) && parameter.shape.length === 2);
      this.matrices = new Set(inner.map(({ parameter }) => parameter));
      const reference = keepsReference ? copies(this.trained, (parameter) => parameter) : 'missing';
      this.#changing = new ChangingWeights(new Map(weights.map((weight) => [weight.name, weight])), null, reference);
      this.#teacher = new TeacherWeights(this.#changing);
      this.#inPlace = new WeightsInPlace([]);
      return;
    }
    const { language, valueHead } = network;
    language.requiresGrad_(false);
    valueHead.requiresGrad_(true);
    const { dtype, device } = language;
    const targets = training.lora.targets ?? language.adapterTargets;
    const adapted = attachAdapters(language, training.lora, targets, { generator, dtype, device });
    this.#changing = new ChangingWeights(
      new Map(adapted.map(({ weight }) => [weight.name, weight])),
      new Map(adapted.map((adaptedWeight) => [adaptedWeight.weight.name, adaptedWeight])),
      null,
    );
    this.#teacher = new TeacherWeights(this.#changing);
    this.trained = adapted.flatMap(({ adapter }) => [adapter.lora_A, adapter.lora_B]);
    this.matrices = new Set(this.trained);
    this.#inPlace = new WeightsInPlace(new Set(adapted.map(({ projection }) => projection)));
  }

  get names(): string[] {
    return this.#changing.names;
  }

  /** Adapters are trained, and the base next to them is what its folder holds. */
  get hasStoredBase(): boolean {
    return this.#hasStoredBase && !this.#changedBase;
  }

  /** The attached adapters; none where all weights are trained. */
  get adapters(): readonly AdaptedWeight[] {
    return [...(this.#changing.adapted?.values() ?? [])];
  }

  /** Weights of the vision encoder differ between the sets, or are trained. */
  get changesPictures(): boolean {
    return this.names.some((name) => !LANGUAGE.test(name));
  }

  /** Runs `compute` with the weights of `set`, without gradients. Synchronous: nothing else may run in the meantime. */
  use<T>(set: WeightSet, compute: () => T): T {
    const exchanged = () => this.#inPlace.exchanging(() => this.#overrides(set), compute);
    const adapted = () => this.#inPlace.adapting(this.#acting(set), () => noGrad(exchanged));
    const { bits } = this.#teacher;
    return bits ? bits.during(set === 'teacher', adapted) : adapted();
  }

  /** As `use`, for the output layer alone: nothing is read from a file for weights of the layers before it. */
  useOutput<T>(set: WeightSet, compute: () => T): T {
    if (this.#teacher.bits?.names.some((name) => !INNER.test(name))) return this.use(set, compute);
    const exchanged = () => this.#inPlace.exchanging(() => this.#overrides(set), compute);
    return this.#inPlace.adapting(this.#acting(set), () => noGrad(exchanged));
  }

  /**
   * For many calls of `use` with one set: what would be read from a file by each of them is read once. Nothing else may
   * use the weights until the promise settles.
   */
  async holding<T>(set: WeightSet, compute: () => Promise<T>): Promise<T> {
    const bits = set === 'teacher' ? this.#teacher.bits : null;
    try {
      bits?.put(true);
      return await compute();
    } finally {
      bits?.put(false);
    }
  }

  /** Runs `compute` with the current weights, recording gradients. */
  train<T>(compute: () => T): T {
    return this.#inPlace.adapting('all', compute);
  }

  /** Copies of what is trained, by published name. */
  state(): Map<string, Tensor> {
    return tidy(() => {
      const trained = this.tensors('current')!;
      const names = this.#changing.adapted ? this.adapters.map(adapterNames).flatMap(({ a, b }) => [a, b]) : this.names;
      return new Map(names.map((name) => [name, copy(trained.get(name)!)]));
    });
  }

  /** Float32 task vector of one matrix in a state: (alpha / r) B A, or θ − θ_0. @throws {UnknownWeightError} */
  delta(state: ReadonlyMap<string, Tensor>, name: string): Tensor {
    return deltaOf(this.#changing, state, name);
  }

  /** Teacher := θ_0 + deltas; matrices without a delta equal θ_0. Disposes the deltas. */
  setTeacher(deltas: Iterable<readonly [string, Tensor]>): void {
    this.#teacher.set(deltas);
  }

  /** Old := a copy of the current weights. */
  keepOld(): void {
    disposeOverrides(this.#old);
    this.#old = copies(this.trained, (parameter) => parameter);
  }

  /** Writes the teacher's matrices under their published names, one at a time; false where `tensors` gives them. */
  saveTeacher(path: string): boolean {
    return this.#teacher.save(path);
  }

  /** Takes the matrices of a file that `saveTeacher` wrote, one at a time. Training with adapters only. */
  restoreTeacher(file: safetensors.SafetensorsFile): void {
    this.#teacher.restore(file);
  }

  /** θ_0 := current; what adapters were trained to becomes what they start with. The teacher becomes the new θ_0. */
  fold(): void {
    this.#teacher.reset();
    const { reference } = this.#changing;
    noGrad(() => {
      if (reference !== 'missing') for (const [parameter, copy] of reference ?? []) copy.copy_(parameter);
    });
    for (const { adapter } of this.adapters) adapter.freeze();
  }

  /**
   * The current numbers of a published weight in float32, adapters included; null where they are those of the stored tensor.
   *
   * @param stored  As the folder of the base holds it, in its own dtype.
   */
  merged(name: string, stored: Tensor): Tensor | null {
    return mergedOf(this.#changing, this.network.language, { name, stored, isStored: this.hasStoredBase });
  }

  /**
   * Live tensors of one set under their published names, for checkpoints: views, to be used inside a `tidy`. `current`
   * holds every parameter and how the value head standardizes, except the weights of a base that its own folder holds;
   * the others hold what differs. Null where the set needs no file.
   */
  tensors(set: SavedSet): Map<string, Tensor> | null {
    if (set !== 'current') {
      const overrides = set === 'reference' ? this.#kept : this.#teacher.copy;
      return overrides && this.#changing.views((parameter) => overrides.get(parameter)!);
    }
    return this.#current(!this.hasStoredBase);
  }

  #current(withBase: boolean): Map<string, Tensor> {
    const all = viewsOf(
      withBase ? publishedWeights(this.network) : publishedWeights(this.network.valueHead, 'value_head'),
      (parameter) => parameter,
    );
    for (const [name, buffer] of this.network.valueHead.namedBuffers()) all.set(`value_head.${name}`, buffer);
    for (const adaptedWeight of this.adapters) {
      const { a, b, startA, startB } = adapterNames(adaptedWeight);
      const { lora_A, lora_B, start } = adaptedWeight.adapter;
      all.set(a, lora_A).set(b, lora_B);
      if (start) all.set(startA, start.a).set(startB, start.b);
    }
    return all;
  }

  /**
   * Names and shapes that the sets of a checkpoint must have: views, to be used inside a `tidy`.
   *
   * @param saved  The current set of the checkpoint, which may hold another base than the folder's, and start factors of any rank.
   */
  layout(saved: ReadonlyMap<string, Tensor>): Record<SavedSet, Map<string, TensorLayout>> {
    const reference = this.tensors('reference') ?? new Map<string, Tensor>();
    const current = new Map<string, TensorLayout>(this.#current(!this.hasStoredBase || this.#holdsBase(saved)));
    layStart(current, { saved, adapters: this.adapters, dtype: this.network.language.dtype });
    return { current, reference, teacher: this.#changing.views((parameter) => parameter) };
  }

  /**
   * Copies sets of this layout into place. Without a teacher, the teacher is θ_0; without a reference, θ_0 is the current set.
   */
  restore({ teacher, reference, current }: SavedTensors): void {
    this.#teacher.reset();
    const states = { current, reference: this.#kept && (reference ?? current) };
    if (this.#hasStoredBase && current) this.#changedBase = this.#holdsBase(current);
    if (current) restoreStart(current, this.adapters);
    if (teacher && !this.#changing.lacksReference) this.#teacher.setToCopy();
    tidy(() =>
      noGrad(() => {
        for (const [set, state] of Object.entries({ ...states, teacher }) as [SavedSet, typeof teacher][]) {
          const targets = this.tensors(set);
          for (const [name, target] of targets ?? []) {
            const tensor = state?.get(name);
            if (tensor) target.copy_(tensor);
          }
        }
      }),
    );
  }

  dispose(): void {
    this.#teacher.reset();
    for (const { adapter } of this.adapters) adapter.setStart(null);
    this.#changing.dispose();
    disposeOverrides(this.#old);
  }

  /** A whole model, not adapters alone. */
  #holdsBase(saved: ReadonlyMap<string, Tensor>): boolean {
    return this.names.some((name) => saved.has(name));
  }

  /** Adapters act next to the base; a teacher of whole matrices contains them. */
  #acting(set: WeightSet): AdapterUse {
    if (set === 'current' || set === 'old') return 'all';
    return set === 'teacher' && this.#teacher.bits ? 'none' : 'start';
  }

  /** Copies of θ_0; null where the model holds it or nobody does. */
  get #kept(): Overrides | null {
    const { reference } = this.#changing;
    return reference === 'missing' ? null : reference;
  }

  #overrides(set: WeightSet): Overrides | null {
    if (set === 'old') return this.#old;
    if (set === 'current') return null;
    const reference = this.#changing.referenceOverrides();
    return set === 'teacher' ? (this.#teacher.copy ?? reference) : reference;
  }
}
