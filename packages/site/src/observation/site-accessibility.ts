/** Prints the accessibility tree with the marks of its elements: `[7] button "Buy now" focused`. */
import type { Protocol } from '@vlgym/chromium';
import type { BrowserPage } from '../page/browser-page.js';
import type { FrameTree } from '../page/page-inspector.js';
import { nodesOf } from './site-elements.js';
import type { SiteElement } from './site-view.js';

type Node = Protocol.Accessibility.AXNode;

/** Roles that only group others, or repeat the name of the element around them. */
const SKIPPED = new Set(['none', 'generic', 'InlineTextBox', 'LineBreak']);
/** Properties that are printed if they are set. */
const STATES = ['focused', 'disabled', 'required', 'readonly', 'modal', 'selected', 'multiselectable'];
const VALUES = ['checked', 'expanded', 'pressed', 'level'];

/** @throws {PageLostError} */
export async function siteAccessibility(page: BrowserPage, elements: readonly SiteElement[]): Promise<string> {
  const marks = elements.map(({ mark }) => mark);
  const [trees, ids] = [await page.accessibilityTrees(), await page.nodeIds(nodesOf(marks))];
  const markOf = new Map(
    marks.flatMap((mark, index) => (ids[index] === undefined ? [] : [[ids[index], mark] as const])),
  );
  return print(trees, markOf);
}

function print(trees: readonly FrameTree[], markOf: ReadonlyMap<number, number>): string {
  const frames = new Map(trees.flatMap((tree) => (tree.owner === undefined ? [] : [[tree.owner, tree] as const])));
  const lines: string[] = [];
  const printTree = ({ nodes }: FrameTree, depth: number) => {
    const byId = new Map(nodes.map((node) => [node.nodeId, node]));
    const walk = (node: Node, level: number, parentName: string): void => {
      const role = String(node.role?.value ?? '');
      const name = String(node.name?.value ?? '');
      const mark = node.backendDOMNodeId === undefined ? undefined : markOf.get(node.backendDOMNodeId);
      const text = role === 'StaticText' && (name === parentName || name.trim() === '');
      const printed = mark !== undefined || (!node.ignored && !SKIPPED.has(role) && !text);
      if (printed) lines.push('  '.repeat(level) + line(node, role, name, mark));
      const next = printed ? level + 1 : level;
      for (const id of node.childIds ?? []) {
        const child = byId.get(id);
        if (child) walk(child, next, name);
      }
      const frame = node.backendDOMNodeId === undefined ? undefined : frames.get(node.backendDOMNodeId);
      if (frame) printTree(frame, next);
    };
    if (nodes[0]) walk(nodes[0], depth, '');
  };
  if (trees[0]) printTree(trees[0], 0);
  return lines.join('\n');
}

function line(node: Node, role: string, name: string, mark: number | undefined): string {
  const property = (wanted: string): unknown => node.properties?.find((item) => item.name === wanted)?.value.value;
  const states = STATES.filter((state) => property(state) === true);
  const values = VALUES.flatMap((wanted) => (property(wanted) === undefined ? [] : [`${wanted}=${property(wanted)}`]));
  const value = node.value?.value;
  return [
    ...(mark === undefined ? [] : [`[${mark}]`]),
    role,
    JSON.stringify(name),
    ...(value === undefined || value === '' ? [] : [`value=${JSON.stringify(value)}`]),
    ...values,
    ...states,
  ].join(' ');
}
