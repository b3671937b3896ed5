/**
 * Waits for all promises, then throws the first failure in their order, or returns their values. Unlike `Promise.all`, no
 * work keeps running after the call.
 */
export async function settleAll<T>(promises: readonly (T | PromiseLike<T>)[]): Promise<T[]> {
  return (await Promise.allSettled(promises)).map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
