/** Episodes in Node as `digests` of support/python/vlgym_checks.py plays them in Python, with the same bytes in a digest. */
import { createHash, type Hash } from 'node:crypto';
import { type Info, make } from '@vlgym/core';
import { isImage } from '@vlgym/core/images';
import type { Player } from './python-package.js';

export type SeedAndSteps = readonly [seed: number, steps: number];

/** SHA-256 of observations, rewards and ends of one environment, for each seed. */
export async function digestsOf(
  { spec, options }: Pick<Player, 'spec' | 'options'>,
  episodes: readonly SeedAndSteps[],
  pictures = true,
): Promise<string[]> {
  const env = await make(spec, { options });
  const digests: string[] = [];
  try {
    for (const [seed, steps] of episodes) {
      const hash = createHash('sha256');
      env.actionSpace.seed(seed);
      let { observation, info } = await env.reset({ seed });
      feed(hash, observation, pictures);
      for (let step = 0; step < steps; step += 1) {
        const offers = step % 2 === 0 || 'elements' in info ? offersIn(info) : [];
        const isOffered = offers.length > 0;
        const result = await env.step(
          isOffered ? offers[(Math.floor(step / 2) + seed) % offers.length] : env.actionSpace.sample(),
        );
        feed(hash, result.observation, pictures);
        const { reward, terminated, truncated } = result;
        hash
          .update(new Uint8Array(Float64Array.of(reward).buffer))
          .update(Uint8Array.of(Number(terminated), Number(truncated)));
        info = result.info;
        if (!terminated && !truncated) continue;
        ({ observation, info } = await env.reset());
        feed(hash, observation, pictures);
      }
      digests.push(hash.digest('hex'));
    }
  } finally {
    await env.close();
  }
  return digests;
}

/** Commands that an environment of words offers: words drawn at random would never leave the first page or room. */
function offersIn(info: Info): readonly unknown[] {
  const { admissibleCommands, availableActions, elements } = info as {
    /** A site's samples are calls on the page that is open, which only Node knows. */
    elements?: readonly string[];
    admissibleCommands?: readonly string[];
    availableActions?: { readonly hasSearchBar: boolean; readonly clickables: readonly string[] };
  };
  if (admissibleCommands) return admissibleCommands;
  if (elements) return [...elements.map((element) => `click('${element.split(' ', 1)[0]}')`), 'noop(100)'];
  if (!availableActions) return [];
  const { hasSearchBar, clickables } = availableActions;
  return [...(hasSearchBar ? ['search[red shoes]'] : []), ...clickables.map((name) => `click[${name}]`)];
}

function feed(hash: Hash, value: unknown, pictures: boolean): void {
  if (isImage(value)) {
    if (pictures) hash.update(value.data);
  } else if (ArrayBuffer.isView(value)) hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  else if (Array.isArray(value)) for (const each of value) feed(hash, each, pictures);
  else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value).sort()) feed(hash, (value as Record<string, unknown>)[key], pictures);
  } else hash.update(String(value));
}
