/** Generators that agree with NumPy and Python, seed for seed. */

export type { ChoiceOptions } from './draws.js';
export { freshSeed } from './entropy.js';
export { InvalidDrawError, InvalidSeedError, InvalidStateError } from './errors.js';
export { Generator, type GeneratorState, type IntegerType } from './generator.js';
export type { MersenneTwisterState } from './mersenne-twister.js';
export { PCG64, type Pcg64State } from './pcg64.js';
export { type ChoicesOptions, PythonRandom, type PythonRandomState } from './python-random.js';
export { RandomState, type RandomStateData } from './random-state.js';
export { type Entropy, SeedSequence } from './seed-sequence.js';
