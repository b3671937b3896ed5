/**
 * What a renderer keeps in its memory for geometries and textures: until they are disposed of, collected, or it ends.
 *
 * A WeakRef would not do: its target stays alive until the current macrotask ends, and a loop that awaits only what
 * is done at once never ends one. So resources refer to the keep, never the other way round.
 */
import type { Allocator } from './allocator.js';

type DisposeListener = (event: { readonly target: unknown }) => void;

/** A geometry or a texture of three.js. */
interface Owner {
  addEventListener(type: 'dispose', listener: DisposeListener): void;
  removeEventListener(type: 'dispose', listener: DisposeListener): void;
}

/** What is kept for one owner. */
interface Kept {
  /** Freed when the owner goes. It must not refer to the owner, who could not go then. */
  readonly addresses: readonly number[];
}

/** All that a resource refers to of a keep: what outlives it is two objects, not a renderer's memory. */
interface Link {
  /** Undefined when the renderer has ended. */
  forget: ((resource: WeakKey) => void) | undefined;
  readonly listener: DisposeListener;
}

/** The keeps that have something for a resource. Those that have ended go when another one comes. */
const linksOf = new WeakMap<WeakKey, Set<Link>>();

export class ResourceKeep<Resource extends Owner, Content extends Kept> {
  readonly #allocator: Allocator;
  #entries = new WeakMap<WeakKey, Content>();
  /** The addresses of one content are one array, so they stand for it where nothing may refer to the resource. */
  #all = new Set<readonly number[]>();
  readonly #collected = new FinalizationRegistry<readonly number[]>((addresses) => this.#free(addresses));
  #link = this.#createLink();

  constructor(allocator: Allocator) {
    this.#allocator = allocator;
  }

  get(resource: Resource): Content | undefined {
    return this.#entries.get(resource);
  }

  /** Keeps something for a resource that has nothing yet. */
  add(resource: Resource, content: Content): Content {
    this.#entries.set(resource, content);
    this.#all.add(content.addresses);
    this.#collected.register(resource, content.addresses, resource);
    const links = linksOf.get(resource) ?? new Set();
    linksOf.set(resource, links);
    for (const link of links) if (!link.forget) unlink(resource, links, link);
    links.add(this.#link);
    resource.addEventListener('dispose', this.#link.listener);
    return content;
  }

  forget(resource: Resource): void {
    const content = this.#entries.get(resource);
    if (!content) return;
    this.#entries.delete(resource);
    this.#collected.unregister(resource);
    const links = linksOf.get(resource);
    if (links) unlink(resource, links, this.#link);
    this.#free(content.addresses);
  }

  /** Forgets everything, and nothing outside refers to the keep any more. */
  clear(): void {
    this.#link.forget = undefined;
    this.#link = this.#createLink();
    this.#entries = new WeakMap();
    for (const addresses of this.#all) this.#free(addresses);
  }

  #createLink(): Link {
    const link: Link = {
      forget: (resource) => this.forget(resource as Resource),
      listener: ({ target }) => link.forget?.(target as WeakKey),
    };
    return link;
  }

  /** Does nothing the second time: a resource that is collected after `clear` was freed there. */
  #free(addresses: readonly number[]): void {
    if (!this.#all.delete(addresses)) return;
    for (const address of addresses) this.#allocator.free(address);
  }
}

function unlink(resource: WeakKey, links: Set<Link>, link: Link): void {
  links.delete(link);
  (resource as Owner).removeEventListener('dispose', link.listener);
}
