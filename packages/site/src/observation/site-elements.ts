/** Scripts about the elements that bear a mark: where a click reaches them, what they hold, what they take. */
import { TOOLS } from '../actions/site-tools.js';

/** A script about one element: `body` sees `node`, and its result is returned; `null` if the element is gone. */
function about(mark: number, body: string): string {
  return `(() => {${TOOLS}
    const node = known.nodes.get(${Math.trunc(mark)})?.deref();
    if (!node?.isConnected || !node.ownerDocument.defaultView) return null;
    ${body}
  })()`;
}

export interface Located {
  /** The point in the window at which a click reaches it; absent if it has no area. */
  readonly point?: readonly [number, number];
  readonly covered?: string;
  readonly disabled?: boolean;
  readonly checked?: boolean;
}

/** Scrolls an element into the window if a click cannot reach it, and says where it is. */
export const locateElement = (mark: number): string =>
  about(
    mark,
    `let found = reach(node);
    if (!found.point) {
      place(node).scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      found = reach(node);
    }
    return { ...found, disabled: node.disabled === true, checked: node.checked ?? node.getAttribute('aria-checked') === 'true' };`,
  );

export const focusElement = (mark: number): string => about(mark, `node.focus(); return within(focusedNode(), node);`);

/** The element itself, for calls that take an object. */
export const elementItself = (mark: number): string => about(mark, 'return node;');

/**
 * Prepares a field for new contents. `typed`: its contents are selected, and text is to be inserted. `set`: a date, color or
 * slider got its value. Otherwise why it cannot be filled.
 */
export const prepareFill = (mark: number, value: string): string =>
  about(
    mark,
    `if (node.disabled) return 'it is disabled';
    if (node.readOnly) return 'it is read-only';
    const text = node.tagName === 'TEXTAREA' || (node.tagName === 'INPUT' &&
      ['text', 'search', 'url', 'tel', 'email', 'password', 'number'].includes(node.type));
    place(node).scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    node.focus();
    if (text) {
      node.select();
      return 'typed';
    }
    if (node.isContentEditable) {
      getSelection().selectAllChildren(node);
      return 'typed';
    }
    if (node.tagName !== 'INPUT' || ['checkbox', 'radio', 'file', 'button', 'submit', 'reset', 'image'].includes(node.type))
      return 'it does not take text';
    node.value = ${JSON.stringify(value)};
    node.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    node.dispatchEvent(new Event('change', { bubbles: true }));
    return node.value === ${JSON.stringify(value)} ? 'set' : 'a field of type ' + node.type + ' does not take this value';`,
  );

/** The value of a filled field. */
export const fieldValue = (mark: number): string => about(mark, 'return node.value ?? node.innerText;');

/** Chooses options of a list by value or label. @returns `''`, or the reason for the failure. */
export const selectOptions = (mark: number, wanted: readonly string[]): string =>
  about(
    mark,
    `if (node.tagName !== 'SELECT') return 'it is not a list of options';
    if (node.disabled) return 'it is disabled';
    const wanted = ${JSON.stringify(wanted)};
    if (wanted.length !== 1 && !node.multiple) return 'it takes exactly one option';
    const options = [...node.options];
    const chosen = wanted.map((text) => options.find(({ value, label, disabled }) => !disabled && (value === text || label.trim() === text.trim())));
    const missing = chosen.indexOf(undefined);
    if (missing >= 0) return 'it has no option ' + JSON.stringify(wanted[missing]) + ' to choose; it has ' +
      options.slice(0, 20).map(({ label }) => JSON.stringify(label.trim())).join(', ');
    node.focus();
    for (const option of options) option.selected = chosen.includes(option);
    node.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    node.dispatchEvent(new Event('change', { bubbles: true }));
    return '';`,
  );

/** Whether files may be given to an element. @returns `''`, or why not. */
export const checkFileInput = (mark: number, count: number): string =>
  about(
    mark,
    `if (node.tagName !== 'INPUT' || node.type !== 'file') return 'it does not take files';
    if (node.disabled) return 'it is disabled';
    return ${count} > 1 && !node.multiple ? 'it takes one file' : '';`,
  );

/** Mark of the file input at a place of the window, or of the label's; `null` if there is none. */
export const markAt = (x: number, y: number): string => `(() => {${TOOLS}
  for (let node = at(${x}, ${y}); node; node = parentOf(node)) {
    const input = node.tagName === 'LABEL' ? node.control : node;
    if (input?.tagName === 'INPUT' && input.type === 'file') return markOf(input);
  }
  return null;
})()`;

/** Marks of all elements as an array of nodes, in the order given; for matching them with the accessibility tree. */
export const nodesOf = (marks: readonly number[]): string =>
  `(() => {${TOOLS} return ${JSON.stringify(marks)}.map((mark) => known.nodes.get(mark)?.deref() ?? null); })()`;
