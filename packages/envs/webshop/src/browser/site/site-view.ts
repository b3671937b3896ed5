/**
 * Reads any page: visible text, and every element that can be used, with its state. Looks into open shadow roots and into
 * frames of the same origin.
 *
 * The source runs in an isolated world of the page: the page's scripts see neither the marks nor this code. An element
 * keeps its mark as long as its document lives, so that an agent can name it again after the page has changed.
 */
import type { LivePage, MarkedElement } from '../live-page.js';

/** An element with its state. Fields are absent where they do not apply. */
export interface SiteElement extends MarkedElement {
  /** Kind of an input: `text`, `number`, `file`, … */
  readonly type?: string;
  /** What a text box, a slider, a list or a file input holds; a password as dots. */
  readonly value?: string;
  readonly checked?: boolean | 'mixed';
  /** Labels of a list, at most 100. */
  readonly options?: readonly string[];
  /** Labels of the chosen options. */
  readonly selected?: readonly string[];
  readonly focused?: true;
  readonly disabled?: true;
  readonly required?: true;
  readonly expanded?: boolean;
  /** What lies over every part of it that is in the window, e.g. `div "Subscribe now"`. */
  readonly covered?: string;
}

export interface LiveSite extends LivePage {
  readonly elements: readonly SiteElement[];
  readonly title: string;
}

/** Shared by the scripts below: the registry of marks, the composed tree, frames, and what lies at a point. */
const TOOLS = `
  const known = (globalThis.vlgymMarks ??= { numbers: new WeakMap(), nodes: new Map(), next: 1 });
  const markOf = (node) => {
    let mark = known.numbers.get(node);
    if (mark === undefined) {
      mark = known.next++;
      known.numbers.set(node, mark);
      known.nodes.set(mark, new WeakRef(node));
    }
    return mark;
  };
  const frameDocument = (node) => {
    if (node.tagName !== 'IFRAME' && node.tagName !== 'FRAME') return null;
    try { return node.contentDocument; } catch { return null; }
  };
  // children as they are drawn: a shadow root in place of the host's own, what fills a slot in place of its fallback
  const childrenOf = (node) => {
    if (node.shadowRoot) return node.shadowRoot.childNodes;
    if (node.tagName === 'SLOT') {
      const assigned = node.assignedNodes({ flatten: true });
      if (assigned.length > 0) return assigned;
    }
    const inner = frameDocument(node);
    return inner?.body ? [inner.body] : node.childNodes;
  };
  const parentOf = (node) => node.assignedSlot ?? node.parentNode ?? node.host ?? node.defaultView?.frameElement ?? null;
  const within = (inner, outer) => {
    for (let node = inner; node; node = parentOf(node)) if (node === outer) return true;
    return false;
  };
  // offset of a document's window inside the top window
  const offsetOf = (node) => {
    let [x, y] = [0, 0];
    for (let view = node.ownerDocument.defaultView; view && view !== globalThis; ) {
      const frame = view.frameElement;
      if (!frame) break;
      const box = frame.getBoundingClientRect();
      const style = frame.ownerDocument.defaultView.getComputedStyle(frame);
      x += box.x + frame.clientLeft + parseFloat(style.paddingLeft);
      y += box.y + frame.clientTop + parseFloat(style.paddingTop);
      view = frame.ownerDocument.defaultView;
    }
    return [x, y];
  };
  // the label of a hidden radio button or check box is what a person clicks
  const place = (node) => (getComputedStyle(node).opacity === '0' && node.labels?.[0]) || node;
  const boxOf = (node) => {
    const [dx, dy] = offsetOf(node);
    const { x, y, width, height } = place(node).getBoundingClientRect();
    return { x: x + dx, y: y + dy, width, height };
  };
  const at = (x, y) => {
    let node = document.elementFromPoint(x, y);
    for (;;) {
      const inner = node && frameDocument(node);
      let next = null;
      if (inner) {
        const [dx, dy] = inner.body ? offsetOf(inner.body) : [0, 0];
        next = inner.elementFromPoint(x - dx, y - dy);
      } else if (node?.shadowRoot) next = node.shadowRoot.elementFromPoint(x, y);
      if (!next || next === node) return node;
      node = next;
    }
  };
  const PLACES = [[0.5, 0.5], [0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75], [0.1, 0.5], [0.9, 0.5]];
  // a point of the window where a click reaches the element, or what lies over it
  const reach = (node) => {
    const target = place(node);
    const [dx, dy] = offsetOf(node);
    const { x, y, width, height } = target.getClientRects()[0] ?? target.getBoundingClientRect();
    let covering = null;
    for (const [right, down] of PLACES) {
      const point = [x + dx + width * right, y + dy + height * down];
      if (point[0] < 0 || point[1] < 0 || point[0] >= innerWidth || point[1] >= innerHeight) continue;
      const hit = at(...point);
      if (!hit) continue;
      if (within(hit, target) || within(target, hit) || [...(node.labels ?? [])].some((label) => within(hit, label))) return { point };
      covering ??= hit;
    }
    if (!covering) return {};
    const text = covering.textContent.trim().replace(/\\s+/g, ' ').slice(0, 40);
    return { covered: covering.tagName.toLowerCase() + (text ? ' ' + JSON.stringify(text) : '') };
  };
  const focusedNode = () => {
    let node = document.activeElement;
    for (;;) {
      const next = (node && frameDocument(node)?.activeElement) ?? node?.shadowRoot?.activeElement;
      if (!next) return node;
      node = next;
    }
  };
`;

const USABLE =
  'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=link], [role=tab], ' +
  '[role=menuitem], [role=checkbox], [role=radio], [role=option], [role=switch], [role=slider], [role=combobox], ' +
  '[role=textbox], [contenteditable=true], [contenteditable=""], [draggable=true]';

/** One call that reads the page as `LiveSite`. */
export const LIVE_SITE = `(() => {${TOOLS}
  const KEPT = ['class', 'type', 'name', 'value', 'id', 'for'];
  const HIDDEN = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE']);
  const shown = (node) => !HIDDEN.has(node.tagName) &&
    (node.checkVisibility({ visibilityProperty: true }) || getComputedStyle(node).display === 'contents');
  const scrolls = (node) => {
    if (node.scrollHeight <= node.clientHeight + 1 && node.scrollWidth <= node.clientWidth + 1) return false;
    if (node === document.body || node.clientHeight === 0) return false;
    const style = getComputedStyle(node);
    return /auto|scroll/.test(style.overflowY + style.overflowX);
  };
  const ROLES = new Set(['button', 'link', 'radio', 'checkbox', 'textbox', 'combobox', 'option', 'menuitem', 'tab', 'switch', 'slider']);
  const roleOf = (node) => {
    const given = node.getAttribute('role');
    if (ROLES.has(given)) return given;
    const type = node.tagName === 'INPUT' ? node.type : '';
    if (type === 'radio' || type === 'checkbox') return type;
    if (type === 'range') return 'slider';
    if (['button', 'submit', 'reset', 'image', 'file', 'color'].includes(type)) return 'button';
    if (node.tagName === 'SELECT') return 'combobox';
    if (node.tagName === 'A') return 'link';
    if (node.tagName === 'INPUT' || node.tagName === 'TEXTAREA' || node.isContentEditable) return 'textbox';
    return node.matches('button, summary, [draggable=true]') ? 'button' : 'region';
  };
  // of a label, the words without those of the field inside it
  const wordsOf = (label) => {
    const copy = label.cloneNode(true);
    for (const inner of copy.querySelectorAll('select, textarea, script, style')) inner.remove();
    return copy.textContent.trim();
  };
  const referred = (node) => (node.getAttribute('aria-labelledby') ?? '').split(/\\s+/)
    .map((id) => id && node.getRootNode().getElementById?.(id)?.textContent.trim()).filter(Boolean).join(' ');
  const nameOf = (node, role) => {
    if (role === 'region') return node.getAttribute('aria-label') ?? node.id ?? '';
    const label = node.getAttribute('aria-label') || referred(node) || (node.labels?.[0] && wordsOf(node.labels[0]));
    if (label) return label;
    if (role === 'radio' && node.value) return node.value;
    const own = role === 'textbox' || role === 'combobox' ? '' : node.textContent;
    return node.placeholder || own?.trim() || node.title || node.querySelector?.('img[alt]')?.alt ||
      (role === 'button' ? node.value : role === 'combobox' ? node.selectedOptions?.[0]?.textContent : node.name) || '';
  };
  const stateOf = (node, role) => {
    const state = {};
    const yes = (name) => node.getAttribute(name) === 'true';
    if (node.tagName === 'INPUT') state.type = node.type;
    if (node.tagName === 'SELECT') {
      state.options = [...node.options].slice(0, 100).map(({ label }) => label.trim());
      state.selected = [...node.selectedOptions].map(({ label }) => label.trim());
      state.value = node.value;
    } else if (state.type === 'file') state.value = [...node.files].map(({ name }) => name).join(', ');
    else if (state.type === 'password') state.value = '•'.repeat(node.value.length);
    else if (role === 'textbox' || role === 'slider' || state.type === 'color')
      state.value = node.value ?? (node.isContentEditable ? node.innerText : node.getAttribute('aria-valuenow') ?? '');
    if (role === 'checkbox' || role === 'radio' || role === 'switch')
      state.checked = node.indeterminate ? 'mixed' : (node.checked ?? yes('aria-checked'));
    if (node.disabled || yes('aria-disabled')) state.disabled = true;
    if (node.required || yes('aria-required')) state.required = true;
    if (node.tagName === 'SUMMARY') state.expanded = node.parentElement.open === true;
    else if (node.hasAttribute('aria-expanded')) state.expanded = yes('aria-expanded');
    return state;
  };
  const focus = focusedNode();
  const elements = [];
  const collect = (node) => {
    const usable = node.matches('${USABLE}');
    if (!usable && !scrolls(node)) return;
    const role = roleOf(node);
    const { x, y, width, height } = boxOf(node);
    const visible = y + height > 0 && y < innerHeight && x + width > 0 && x < innerWidth;
    const covered = visible && width > 0 && height > 0 && role !== 'region' ? reach(node).covered : undefined;
    elements.push({
      mark: markOf(node),
      role,
      name: nameOf(node, role),
      box: [x + scrollX, y + scrollY, width, height].map(Math.round),
      visible,
      ...stateOf(node, role),
      ...(node === focus && { focused: true }),
      ...(covered !== undefined && { covered }),
    });
  };
  const read = (node) => {
    const attributes = {};
    for (const name of KEPT) {
      const value = node.getAttribute(name);
      if (value !== null) attributes[name] = value;
    }
    const children = [];
    for (const child of childrenOf(node)) {
      if (child.nodeType === 3 && child.nodeValue.trim() !== '') children.push(child.nodeValue);
      else if (child.nodeType === 1 && shown(child)) {
        collect(child);
        children.push(read(child));
      }
    }
    if (node.tagName === 'IFRAME' && !frameDocument(node)) children.push('(a frame of another origin)');
    return { tag: node.tagName.toLowerCase(), attributes, children };
  };
  const tree = document.body ? read(document.body) : { tag: 'div', attributes: {}, children: [] };
  return { url: location.href, title: document.title, tree, elements, scroll: [scrollX, scrollY] };
})()`;

/** A script about one element: `body` sees `node`, and its result is returned; `null` if the element is gone. */
function about(mark: number, body: string): string {
  return `(() => {${TOOLS}
    const node = known.nodes.get(${Math.trunc(mark)})?.deref();
    if (!node?.isConnected || !node.ownerDocument.defaultView) return null;
    ${body}
  })()`;
}

export interface Located {
  /** Where in the window a click reaches it; absent if it has no area. */
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

/** What a filled field holds. */
export const fieldValue = (mark: number): string => about(mark, 'return node.value ?? node.innerText;');

/** Chooses options of a list by value or label. @returns `''`, or why not. */
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
