/** Type tests for values from outside. */

/** True for objects other than arrays; their class does not matter. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for every view of a buffer with elements. */
export function isTypedArray(value: unknown): value is Uint8Array | Float64Array {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}
