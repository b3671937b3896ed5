/** Pages of the shop: how they are read, in one call, and when what an input did is shown. */

/** Hidden text counts, as in the original. A string, because it runs in the page and this package has no DOM types. */
const VIEW = `(() => {
  const KEPT = ['class', 'type', 'name', 'value', 'data-asin', 'data-url', 'id', 'for'];
  const read = (node) => {
    const attributes = {};
    for (const name of KEPT) {
      const value = node.getAttribute(name);
      if (value !== null) attributes[name] = value;
    }
    const children = [];
    for (const child of node.childNodes) {
      if (child.nodeType === 3) children.push(child.nodeValue);
      else if (child.nodeType === 1) children.push(read(child));
    }
    return { tag: node.tagName.toLowerCase(), attributes, children };
  };
  const roleOf = (node) => {
    const type = node.getAttribute('role') ?? node.getAttribute('type');
    if (type === 'radio' || type === 'checkbox') return type;
    if (node.tagName === 'SELECT') return 'combobox';
    if (node.tagName === 'A' || type === 'link') return 'link';
    if (node.tagName === 'BUTTON' || type === 'button' || type === 'submit' || type === 'reset') return 'button';
    return node.tagName === 'INPUT' || node.tagName === 'TEXTAREA' || node.isContentEditable ? 'textbox' : 'button';
  };
  // the label of a hidden radio button is what a person clicks
  const place = (node) => (getComputedStyle(node).opacity === '0' && node.labels?.[0]) || node;
  const nameOf = (node, role) =>
    node.getAttribute('aria-label') ??
    (role === 'radio' && node.value ? node.value : node.labels?.[0]?.textContent || node.placeholder || node.textContent || node.value || '');
  const root = document.getElementById('shop');
  const elements = [...document.querySelectorAll('.btn, a.product-link, input')].map((node, index) => {
    const { x, y, width, height } = place(node).getBoundingClientRect();
    const role = roleOf(node);
    return {
      mark: index + 1,
      role,
      name: nameOf(node, role),
      box: [x + scrollX, y + scrollY, width, height].map(Math.round),
      visible: y + height > 0 && y < innerHeight && x + width > 0 && x < innerWidth,
    };
  });
  return {
    url: location.href,
    tree: root ? read(root) : { tag: 'div', attributes: {}, children: [] },
    elements,
    scroll: [scrollX, scrollY],
  };
})()`;

export const SHOP_PAGE = { view: VIEW, shown: 'globalThis.shopPage?.shown()' };
