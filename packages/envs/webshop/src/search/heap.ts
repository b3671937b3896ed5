/** Replaces the smallest entry of a heap, which is its first. */
export function sink(heap: Float64Array, value: number): void {
  let place = 0;
  for (;;) {
    let child = 2 * place + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child += 1;
    if (heap[child]! >= value) break;
    heap[place] = heap[child]!;
    place = child;
  }
  heap[place] = value;
}
