/** Keys of the whole page, and the list of them. A control that is in focus keeps its own. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

const HELP: readonly (readonly [keys: string, does: string])[] = [
  ['j, k', 'next and previous episode'],
  ['←, →', 'back and forward by a step'],
  ['space', 'play the steps, or stop'],
  ['[, ]', 'cursor to the previous and next update'],
  ['f', 'follow the newest update, or stop'],
  ['Esc', 'close the episode'],
  ['?', 'this list'],
];

const handlers = new Map<string, () => void>();

/** What a key does while the component is there. */
export function useKeys(actions: Readonly<Record<string, (() => void) | undefined>>): void {
  // an effect after the next frame would let a key that follows quickly act on what was shown before
  useLayoutEffect(() => {
    const own = Object.entries(actions).flatMap(([key, action]) => (action ? [[key, action] as const] : []));
    for (const [key, action] of own) handlers.set(key, action);
    return () => {
      for (const [key, action] of own) if (handlers.get(key) === action) handlers.delete(key);
    };
  });
}

const KEEPS_KEYS = 'input, select, textarea, [contenteditable]';

export function Keys() {
  const dialog = useRef<HTMLDialogElement>(null);
  useKeys({ '?': () => dialog.current?.showModal() });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (ctrlKey || metaKey || altKey || dialog.current?.open) return;
      const element = target instanceof Element ? target : undefined;
      if (element?.matches(KEEPS_KEYS)) return;
      if (key === ' ' && element?.matches('button, a, summary')) return;
      const action = handlers.get(key);
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button type="button" class="quiet" onClick={() => dialog.current?.showModal()}>
        Keys <kbd>?</kbd>
      </button>
      <dialog ref={dialog} aria-label="Keys">
        <dl class="facts">
          {HELP.map(([keys, does]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </>
  );
}
