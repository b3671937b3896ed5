/** The stage of an environment on the page; one that fails leaves its place empty, and the step is shown without it. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ShownStep } from '../../src/protocol.js';
import type { Stage } from './stage.js';

export function StageView({ stage, step }: { readonly stage: Stage; readonly step: ShownStep }) {
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = place.current!;
    element.replaceChildren();
    try {
      stage(step, element);
    } catch {
      element.replaceChildren();
    }
  }, [stage, step]);
  return <section class="stage" ref={place} aria-label="Stage" />;
}
