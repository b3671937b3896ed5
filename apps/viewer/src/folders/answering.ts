/** Whether an answer is being made: reading that can wait lets it go first. All share one event loop, so there is one count. */
let answers = 0;
const waiting = new Set<() => void>();

/** Counts as an answer until it is done. */
export async function answering<T>(work: () => Promise<T>): Promise<T> {
  answers += 1;
  try {
    return await work();
  } finally {
    answers -= 1;
    if (answers === 0) for (const go of waiting) go();
  }
}

/** Until no answer is being made. @param limit  Milliseconds after which it goes on regardless. */
export async function whenNobodyWaits(limit: number): Promise<void> {
  if (answers === 0) return;
  await new Promise<void>((resolve) => {
    const go = () => {
      clearTimeout(timer);
      waiting.delete(go);
      resolve();
    };
    const timer = setTimeout(go, limit);
    waiting.add(go);
  });
}
