/**
 * The memory that a renderer holds for geometries and textures, until they are disposed or collected or the renderer is
 * disposed.
 *
 * A WeakRef does not work here: its target stays alive until the current macrotask ends, and a loop that awaits only
 * resolved promises stays in one macrotask. So resources refer to the keep, never the other way round.
 */
import type { Allocator } from './allocator.js';

type DisposeListener = (event: { readonly target: unknown }) => void;

/** A geometry or a texture of three.js. */
interface Owner {
  addEventListener(type: 'dispose', listener: DisposeListener): void;
  removeEventListener(type: 'dispose', listener: DisposeListener): void;
}

/** The memory of one owner. */
interface Kept {
  /** Freed with the owner. The array must not refer to the owner, or the owner could never be collected. */
  readonly addresses: readonly number[];
}

/** The only part of a keep that a resource refers to: two small objects may outlive the keep, but not its memory. */
interface Link {
  /** Undefined after the renderer was disposed. */
  forget: ((resource: WeakKey) => void) | undefined;
  readonly listener: DisposeListener;
}

/** The keeps that hold memory for a resource. Links of disposed renderers are removed when another keep is added. */
const linksOf = new WeakMap<WeakKey, Set<Link>>();

export class ResourceKeep<Resource extends Owner, Content extends Kept> {
  readonly #allocator: Allocator;
  #entries = new WeakMap<WeakKey, Content>();
  /** Each content is represented by its array of addresses, because nothing here may refer to the resource. */
  #all = new Set<readonly number[]>();
  readonly #collected = new FinalizationRegistry<readonly number[]>((addresses) => this.#free(addresses));
  #link = this.#createLink();

  constructor(allocator: Allocator) {
    this.#allocator = allocator;
  }

  get(resource: Resource): Content | undefined {
    return this.#entries.get(resource);
  }

  /** Adds the content of a resource that has none yet. */
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

  /** Forgets everything and detaches the keep from all resources. */
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

  /** Does nothing the second time, as for a resource that is collected after `clear`. */
  #free(addresses: readonly number[]): void {
    if (!this.#all.delete(addresses)) return;
    for (const address of addresses) this.#allocator.free(address);
  }
}

function unlink(resource: WeakKey, links: Set<Link>, link: Link): void {
  links.delete(link);
  (resource as Owner).removeEventListener('dispose', link.listener);
}
