/** The state of a geometry when it was read. Compared field by field, not by a hash, so that no change is missed. */
import type { BufferAttribute, BufferGeometry, InterleavedBuffer, InterleavedBufferAttribute } from 'three';

export type Attribute = BufferAttribute | InterleavedBufferAttribute;

/**
 * The drawn attributes, the index and the draw range. A geometry no longer matches when three.js would upload data
 * again or draw another part: an attribute was replaced, has a new version, or uses another buffer.
 */
export class GeometrySnapshot {
  readonly #position: AttributeSnapshot;
  readonly #normal: AttributeSnapshot;
  readonly #uv: AttributeSnapshot;
  readonly #color: AttributeSnapshot;
  readonly #index: AttributeSnapshot;
  readonly #start: number;
  readonly #count: number;

  constructor({ attributes, index, drawRange }: BufferGeometry) {
    this.#position = new AttributeSnapshot(attributes.position);
    this.#normal = new AttributeSnapshot(attributes.normal);
    this.#uv = new AttributeSnapshot(attributes.uv);
    this.#color = new AttributeSnapshot(attributes.color);
    this.#index = new AttributeSnapshot(index);
    this.#start = drawRange.start;
    this.#count = drawRange.count;
  }

  isOf({ attributes, index, drawRange }: BufferGeometry): boolean {
    return (
      this.#start === drawRange.start &&
      this.#count === drawRange.count &&
      this.#position.isOf(attributes.position) &&
      this.#normal.isOf(attributes.normal) &&
      this.#uv.isOf(attributes.uv) &&
      this.#color.isOf(attributes.color) &&
      this.#index.isOf(index)
    );
  }
}

class AttributeSnapshot {
  readonly #attribute: Attribute | null | undefined;
  readonly #source: BufferAttribute | InterleavedBuffer | undefined;
  readonly #version: number | undefined;

  constructor(attribute: Attribute | null | undefined) {
    this.#attribute = attribute;
    this.#source = attribute ? sourceOf(attribute) : undefined;
    this.#version = this.#source?.version;
  }

  isOf(attribute: Attribute | null | undefined): boolean {
    if (attribute !== this.#attribute) return false;
    if (!attribute) return true;
    const source = sourceOf(attribute);
    return source === this.#source && source.version === this.#version;
  }
}

/** The object that holds the numbers and their version. */
const sourceOf = (attribute: Attribute) => ('data' in attribute ? attribute.data : attribute);
