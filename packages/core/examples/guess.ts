import { BaseEnv, checkEnv, make, type ResetOptions, register, spaces } from '@vlgym/core';

/** Find the hidden number: every observation says whether it is higher or lower. */
class GuessEnv extends BaseEnv<string, number> {
  readonly observationSpace = spaces.text({ maxLength: 6 });
  readonly actionSpace = spaces.discrete(100);
  #hidden = 0;

  reset({ seed }: ResetOptions = {}) {
    if (seed !== undefined) this.reseed(seed);
    this.#hidden = this.rng.integers(100); // the same number as NumPy draws from this seed
    return { observation: 'guess', info: {} };
  }

  step(guess: number) {
    const terminated = guess === this.#hidden;
    const observation = terminated ? 'found' : guess < this.#hidden ? 'higher' : 'lower';
    return { observation, reward: terminated ? 1 : 0, terminated, truncated: false, info: {} };
  }
}

register({ id: 'example/Guess-v0', entryPoint: () => new GuessEnv(), maxEpisodeSteps: 10 });
await checkEnv(() => make('example/Guess-v0')); // checks the contract

const env = await make('example/Guess-v0');
let { observation } = await env.reset({ seed: 7 });
for (let low = 0, high = 99; observation !== 'found'; ) {
  const guess = Math.floor((low + high) / 2);
  ({ observation } = await env.step(guess));
  console.log(guess, observation);
  if (observation === 'higher') low = guess + 1;
  else high = guess - 1;
}
await env.close();
