/** A number that grows, to ask again. */
import { useEffect, useState } from 'preact/hooks';

/** @param every  Milliseconds; undefined stops it. */
export function useTick(every: number | undefined): number {
  const [tick, setTick] = useState(0);
  useEffect(() => {
    if (every === undefined) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && setTick((now) => now + 1), every);
    return () => clearInterval(timer);
  }, [every]);
  return tick;
}
