/** Integers in 7-bit groups, lowest first; the high bit marks that more follow. */

/** A byte array that grows. */
export class ByteWriter {
  bytes: Uint8Array;
  length = 0;

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity);
  }

  /** Makes room for `more` bytes. */
  reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }

  /** @param value  Below 2^32. */
  varint(value: number): void {
    this.reserve(5);
    let rest = value;
    while (rest > 127) {
      this.bytes[this.length] = (rest & 127) | 128;
      this.length += 1;
      rest >>>= 7;
    }
    this.bytes[this.length] = rest;
    this.length += 1;
  }

  /** The written bytes, without a copy. */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }
}
