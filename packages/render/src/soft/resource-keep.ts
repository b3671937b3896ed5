/** What a renderer keeps in its memory for geometries and textures: until they are disposed of, collected, or it ends. */
import type { Allocator } from './allocator.js';

/** A geometry or a texture of three.js. */
interface Owner {
  addEventListener(type: 'dispose', listener: (event: { readonly target: unknown }) => void): void;
  removeEventListener(type: 'dispose', listener: (event: { readonly target: unknown }) => void): void;
}

/** What is kept for one owner. */
interface Kept {
  /** Freed when the owner goes. */
  readonly addresses: readonly number[];
}

/** What is left to do when an owner goes. It refers to nothing that may refer to the owner, who could not go then. */
interface Remains<Resource extends WeakKey> extends Kept {
  readonly owner: WeakRef<Resource>;
}

export class ResourceKeep<Resource extends Owner, Content extends Kept> {
  readonly #allocator: Allocator;
  readonly #entries = new WeakMap<Resource, { readonly content: Content; readonly remains: Remains<Resource> }>();
  /** For the end, when all listeners are taken off: a WeakMap does not tell what is in it. */
  readonly #all = new Set<Remains<Resource>>();
  readonly #collected = new FinalizationRegistry<Remains<Resource>>((remains) => this.#free(remains));
  readonly #onDispose = ({ target }: { readonly target: unknown }) => this.forget(target as Resource);

  constructor(allocator: Allocator) {
    this.#allocator = allocator;
  }

  get(resource: Resource): Content | undefined {
    return this.#entries.get(resource)?.content;
  }

  /** Keeps something for a resource that has nothing yet. */
  add(resource: Resource, content: Content): Content {
    const remains = { owner: new WeakRef(resource), addresses: content.addresses };
    this.#entries.set(resource, { content, remains });
    this.#all.add(remains);
    this.#collected.register(resource, remains, resource);
    resource.addEventListener('dispose', this.#onDispose);
    return content;
  }

  forget(resource: Resource): void {
    const entry = this.#entries.get(resource);
    if (!entry) return;
    this.#entries.delete(resource);
    this.#collected.unregister(resource);
    resource.removeEventListener('dispose', this.#onDispose);
    this.#free(entry.remains);
  }

  /** Forgets everything, and nothing outside refers to the keep any more. */
  clear(): void {
    for (const { owner } of this.#all) {
      const resource = owner.deref();
      if (resource) this.forget(resource);
    }
  }

  #free(remains: Remains<Resource>): void {
    this.#all.delete(remains);
    for (const address of remains.addresses) this.#allocator.free(address);
  }
}
