/**
 * Reads any page: visible text, and every element that can be used, with its state. Looks into open shadow roots and into
 * frames of the same origin.
 *
 * The source runs in an isolated world of the page: the page's scripts see neither the marks nor this code. An element
 * keeps its mark as long as its document lives, so that an agent can name it again after the page has changed.
 */

import { TOOLS } from '../actions/site-tools.js';
import type { LivePage, MarkedElement } from '../page/live-page.js';

/** An element with its state. Fields are absent if they do not apply. */
export interface SiteElement extends MarkedElement {
  /** Kind of an input: `text`, `number`, `file`, … */
  readonly type?: string;
  /** The value of a text box, slider, list or file input; a password as dots. */
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
  /** The element that covers every part of it inside the window, e.g. `div "Subscribe now"`. */
  readonly covered?: string;
}

export interface LiveSite extends LivePage {
  readonly elements: readonly SiteElement[];
  readonly title: string;
}

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
