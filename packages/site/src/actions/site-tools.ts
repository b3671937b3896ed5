/** Helpers shared by the scripts that run in a page. */

/** Shared by the scripts of `site-view.ts` and `site-elements.ts`: the registry of marks, the composed tree, frames, and what lies at a point. */
export const TOOLS = `
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
