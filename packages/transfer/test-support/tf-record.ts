/** Writes TFRecord files as TensorFlow does, for tests of their reader. */

/** A record of `tf.train.Example` with its frame: lists of bytes, or of whole numbers. */
export function tfRecord(columns: Readonly<Record<string, readonly (Uint8Array | number)[]>>): Buffer {
  const varint = (value: number): number[] => (value < 128 ? [value] : [(value % 128) + 128, ...varint(value >> 7)]);
  const field = (number: number, bytes: Uint8Array) =>
    Buffer.concat([Buffer.from([number * 8 + 2, ...varint(bytes.length)]), bytes]);
  const listOf = (values: readonly (Uint8Array | number)[]) =>
    typeof values[0] === 'number'
      ? field(3, field(1, Buffer.from((values as number[]).flatMap(varint))))
      : field(1, Buffer.concat((values as Uint8Array[]).map((value) => field(1, value))));
  const entries = Object.entries(columns).map(([name, values]) =>
    field(1, Buffer.concat([field(1, Buffer.from(name)), field(2, listOf(values))])),
  );
  const record = field(1, Buffer.concat(entries));
  const head = Buffer.alloc(8);
  head.writeBigUInt64LE(BigInt(record.length));
  return Buffer.concat([head, maskedCrc32c(head), record, maskedCrc32c(record)]);
}

/** Bit by bit, by the definition. */
function maskedCrc32c(bytes: Uint8Array): Buffer {
  let word = 0xffffffffn;
  for (const byte of bytes) {
    word ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit += 1) word = (word >> 1n) ^ ((word & 1n) * 0x82f63b78n);
  }
  const crc = word ^ 0xffffffffn;
  const masked = Buffer.alloc(4);
  masked.writeUInt32LE(Number(((((crc >> 15n) | (crc << 17n)) & 0xffffffffn) + 0xa282ead8n) & 0xffffffffn));
  return masked;
}
