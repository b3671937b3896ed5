/**
 * Graphs: nodes and edges with features from one space each, and the nodes that each edge joins.
 *
 * Seeding and sampling rules follow `Farama-Foundation/Gymnasium`, `gymnasium/spaces/graph.py`. Features are
 * plain lists here, one entry per node or edge.
 */

import { checkNames, names } from '../../options.js';
import { isRecord } from '../../type-tests.js';
import { InvalidMaskError } from '../errors.js';
import { batchSpace, iterate } from '../flat/batch.js';
import { isKind } from '../kinds.js';
import { DEFAULT_NODES } from '../limits.js';
import { type MaskKind, type MaskOptions, onlyOne } from '../masks.js';
import { everyElement } from '../serialization/json-data.js';
import type { JsonSchema, Space, SpaceJson } from '../space.js';
import { CompositeSpace } from './composite-space.js';
import { asBaseSpace, checkedSpaces, cloneSpace } from './parts.js';

export interface Graph<Node = unknown, Edge = unknown> {
  readonly nodes: readonly Node[];
  /** `null` in a graph without edges, as is `edgeLinks`. */
  readonly edges: readonly Edge[] | null;
  /** Source and target of each edge, as indices into `nodes`. */
  readonly edgeLinks: readonly (readonly [from: number, to: number])[] | null;
}

export interface GraphOptions<Node, Edge> {
  readonly nodes: Space<Node>;
  /** Default: graphs have no edges. */
  readonly edges?: Space<Edge> | undefined;
}

/** A mask of the node space for every node (or null), and one of the edge space for every edge. */
export type GraphMask = readonly [node: unknown, edge: unknown];

export interface GraphSampleOptions extends MaskOptions<GraphMask> {
  /** 1 or more; default 10. */
  readonly numNodes?: number | undefined;
  /** Default: drawn from 0 to n(n-1) - 1 for n nodes. */
  readonly numEdges?: number | undefined;
}

const GRAPH_SPACE_OPTIONS = names<GraphOptions<never, never>>({ nodes: 0, edges: 0 });

const GRAPH_SPACE_SAMPLE_OPTIONS = names<GraphSampleOptions>({ numNodes: 0, numEdges: 0, mask: 0, probability: 0 });

export class GraphSpace<Node, Edge = never> extends CompositeSpace<Graph<Node, Edge>> {
  readonly type = 'graph';
  readonly nodes: Space<Node>;
  readonly edges: Space<Edge> | undefined;
  protected readonly drawsItself = true;

  /** @throws {InvalidSpaceError} A part is not a space. */
  constructor(options: GraphOptions<Node, Edge>) {
    checkNames('options', options, GRAPH_SPACE_OPTIONS);
    const { nodes, edges } = options;
    super();
    const [ownNodes, ownEdges] = checkedSpaces(this.type, edges ? [nodes, edges] : [nodes]);
    this.nodes = ownNodes as Space<Node>;
    this.edges = ownEdges as Space<Edge> | undefined;
  }

  /** @throws {InvalidMaskError} A wrong layout, an impossible number of nodes or edges, or both masks at once. */
  override sample(options: GraphSampleOptions = {}): Graph<Node, Edge> {
    checkNames('options', options, GRAPH_SPACE_SAMPLE_OPTIONS);

    const given = onlyOne(options);
    const { numNodes = DEFAULT_NODES, numEdges } = options;
    if (given && !(Array.isArray(given.value) && given.value.length === 2)) {
      throw new InvalidMaskError(given.kind, given.value, '[mask of every node or null, mask of every edge or null]');
    }
    if (!isCount(numNodes) || numNodes < 1) throw new InvalidMaskError('numNodes', numNodes, '1 or more');
    if (numEdges !== undefined && !isCount(numEdges)) throw new InvalidMaskError('numEdges', numEdges, '0 or more');
    const [nodeMask, edgeMask] = (given?.value ?? []) as readonly unknown[];

    const edgeCount = numEdges ?? (numNodes > 1 ? this.generator.integers(numNodes * (numNodes - 1)) : 0);
    const nodes = drawMany(this.nodes, numNodes, given?.kind, nodeMask);
    if (this.edges === undefined || edgeCount === 0) return { nodes, edges: null, edgeLinks: null };
    const edges = drawMany(this.edges, edgeCount, given?.kind, edgeMask);
    const ends = this.generator.integersArray(0, numNodes, 2 * edgeCount, 'int32');
    return { nodes, edges, edgeLinks: edges.map((_, edge) => [ends[2 * edge]!, ends[2 * edge + 1]!] as const) };
  }

  toJSON(): SpaceJson {
    return { type: this.type, nodes: this.nodes.toJSON(), ...(this.edges ? { edges: this.edges.toJSON() } : {}) };
  }

  toJsonSchema(): JsonSchema {
    const list = (items: JsonSchema): JsonSchema => ({ type: ['array', 'null'], items });
    const end: JsonSchema = { type: 'integer', minimum: 0 };
    return {
      type: 'object',
      properties: {
        nodes: { type: 'array', items: this.nodes.toJsonSchema() },
        edges: this.edges ? list(this.edges.toJsonSchema()) : { type: 'null' },
        edgeLinks: this.edges ? list({ type: 'array', items: end, minItems: 2, maxItems: 2 }) : { type: 'null' },
      },
      required: ['nodes', 'edges', 'edgeLinks'],
      additionalProperties: false,
      'x-vlgym': this.toJSON(),
    };
  }

  override toString(): string {
    return `Graph(${this.nodes}, ${this.edges ?? 'None'})`;
  }

  describe(): string {
    const edges = this.edges ? `edges, each ${this.edges.describe()}` : 'no edges';
    return `a graph with nodes, each ${this.nodes.describe()}, and ${edges}`;
  }

  clone(): GraphSpace<Node, Edge> {
    const nodes = cloneSpace(this.nodes);
    return new GraphSpace({ nodes, ...(this.edges ? { edges: cloneSpace(this.edges) } : {}) });
  }

  protected get children(): readonly Space[] {
    return this.edges ? [this.nodes, this.edges] : [this.nodes];
  }

  protected includes(value: unknown): boolean {
    if (!isRecord(value)) return false;
    const { nodes, edges, edgeLinks } = value;
    if (!Array.isArray(nodes) || !everyElement(nodes, (node) => this.nodes.contains(node))) return false;
    if (edges === null && edgeLinks === null) return true;
    const { edges: edgeSpace } = this;
    if (!edgeSpace || !Array.isArray(edges) || !Array.isArray(edgeLinks)) return false;
    return (
      everyElement(edges, (edge) => edgeSpace.contains(edge)) &&
      edgeLinks.length === edges.length &&
      everyElement(edgeLinks, (link) => isLink(link, nodes.length))
    );
  }

  protected write({ nodes, edges, edgeLinks }: Graph<Node, Edge>): unknown {
    return {
      nodes: nodes.map((node) => this.nodes.encode(node)),
      edges: edges === null ? null : edges.map((edge) => this.edges!.encode(edge)),
      edgeLinks: edgeLinks === null ? null : edgeLinks.map((link) => [...link]),
    };
  }

  protected read(json: unknown): unknown {
    const { nodes, edges, edgeLinks } = json as Record<string, unknown[] | null>;
    return {
      nodes: nodes!.map((node) => this.nodes.decode(node)),
      edges: edges === null ? null : edges!.map((edge) => this.edges!.decode(edge)),
      edgeLinks: edgeLinks === null ? null : edgeLinks!.map((link) => [...(link as unknown[])]),
    };
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isLink(link: unknown, nodeCount: number): boolean {
  const isEnd = (end: unknown) => isCount(end) && end < nodeCount;
  return Array.isArray(link) && link.length === 2 && isEnd(link[0]) && isEnd(link[1]);
}

/**
 * Gymnasium draws from a batched space that starts in the state of the generator of `space`, then advances that generator
 * by one double; kept, so that equal seeds give equal graphs. Members are drawn one by one if this would repeat draws (the
 * parts of tuples and objects are never advanced) or if there is a mask.
 */
function drawMany<T>(space: Space<T>, count: number, kind: MaskKind | undefined, mask: unknown): T[] {
  const masked = kind !== undefined && mask !== null && mask !== undefined;
  const batched = batchSpace(space, count);
  const oneByOne = isKind(space, 'tuple') || isKind(space, 'dict') || (masked && isKind(batched, 'box'));
  if (oneByOne) return Array.from({ length: count }, () => space.sample(masked ? { [kind]: mask } : {}));
  const batch = batched.sample(masked ? { [kind]: new Array(count).fill(mask) } : {});
  asBaseSpace(space).skipOne();
  return iterate(space, batch, count);
}
