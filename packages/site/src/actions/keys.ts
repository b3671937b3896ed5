/** Names of keys and their combinations: `Enter`, `a`, `Control+a`, `Meta+Shift+t`. */

const NAMED = new Set([
  ...'Enter Tab Escape Backspace Delete Insert Home End PageUp PageDown Space Shift Control Alt Meta'.split(' '),
  ...'ArrowUp ArrowDown ArrowLeft ArrowRight CapsLock ContextMenu'.split(' '),
  ...'Backquote Minus Equal Backslash BracketLeft BracketRight Semicolon Quote Comma Period Slash'.split(' '),
  ...Array.from({ length: 12 }, (_, index) => `F${index + 1}`),
  ...Array.from({ length: 10 }, (_, index) => `Digit${index}`),
  ...Array.from({ length: 26 }, (_, index) => `Key${String.fromCharCode(65 + index)}`),
]);
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta']);

export interface KeyCombination {
  readonly modifiers: readonly string[];
  readonly key: string;
}

/** @returns The problem if it is not a key. */
export function readKeys(text: string): KeyCombination | string {
  // The last character may be the plus itself: "Control++".
  const parts =
    text.endsWith('+') && text !== '+'
      ? [...text.slice(0, -2).split('+'), '+']
      : text === '+'
        ? ['+']
        : text.split('+');
  const key = parts.at(-1)!;
  const modifiers = parts.slice(0, -1).map((name) => (name === 'ControlOrMeta' ? 'Control' : name));
  const unknown = modifiers.find((name) => !MODIFIERS.has(name));
  if (unknown !== undefined) return `"${unknown.slice(0, 20)}" is not Shift, Control, Alt or Meta`;
  const named = [...NAMED].find((name) => name.toLowerCase() === key.toLowerCase());
  const single = key.length === 1 && key >= ' ' && key <= '~';
  if (!named && !single)
    return `unknown key "${key.slice(0, 20)}"; keys are single characters and names such as Enter, Tab, ArrowDown, F1`;
  return { modifiers, key: single ? key : named! };
}
