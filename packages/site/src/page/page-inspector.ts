/** Reads the shown document through DevTools: values of expressions, identities of nodes, accessibility. */
import type { CDPSession, Protocol } from '@vlgym/chromium';

/** The accessibility nodes of one frame. */
export interface FrameTree {
  readonly nodes: readonly Protocol.Accessibility.AXNode[];
  /** Identity of the element that holds the frame; absent for the page itself. */
  readonly owner?: number;
}

/** Name of the isolated world that views run in. */
const WORLD = 'vlgym';

/** Its methods reject when the document goes away, and never end when the browser hangs: callers set the limits. */
export class PageInspector {
  readonly #client: CDPSession;

  constructor(client: CDPSession) {
    this.#client = client;
  }

  /** @param isolated  In a world separate from the page's scripts, which then see nothing of it. */
  async evaluate<T>(expression: string, isolated = false): Promise<T> {
    const { result, exceptionDetails } = await this.#client.send('Runtime.evaluate', {
      expression,
      ...(await this.#world(isolated)),
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as T;
  }

  /** Identities of nodes that an expression returns as an array: the same as in the accessibility tree. */
  async nodeIds(expression: string): Promise<readonly (number | undefined)[]> {
    const { result } = await this.#client.send('Runtime.evaluate', { expression, ...(await this.#world(true)) });
    const { result: entries } = await this.#client.send('Runtime.getProperties', {
      objectId: result.objectId!,
      ownProperties: true,
    });
    const items = entries.filter(({ name }) => /^\d+$/.test(name));
    const described = items.map(async ({ value }) => {
      if (!value?.objectId) return undefined;
      const { node } = await this.#client.send('DOM.describeNode', { objectId: value.objectId });
      return node.backendNodeId;
    });
    return Promise.all(described);
  }

  /** The accessibility trees of the page and its frames, the page's first. */
  async accessibilityTrees(): Promise<readonly FrameTree[]> {
    const { frameTree } = await this.#client.send('Page.getFrameTree');
    const ids = (tree: Protocol.Page.FrameTree): string[] => [tree.frame.id, ...(tree.childFrames ?? []).flatMap(ids)];
    const trees = ids(frameTree).map(async (frameId, index): Promise<FrameTree | undefined> => {
      const { nodes } = await this.#client.send('Accessibility.getFullAXTree', { frameId });
      if (index === 0) return { nodes };
      return { nodes, owner: (await this.#client.send('DOM.getFrameOwner', { frameId })).backendNodeId };
    });
    // A frame may go away while its tree is read.
    const read = await Promise.all(trees.map((tree) => tree.catch(() => undefined)));
    return read.filter((tree) => tree !== undefined);
  }

  /** Gives files to the file input that an expression returns. */
  async giveFiles(expression: string, files: readonly string[]): Promise<void> {
    const { result } = await this.#client.send('Runtime.evaluate', { expression, ...(await this.#world(true)) });
    await this.#client.send('DOM.setFileInputFiles', { files: [...files], objectId: result.objectId! });
  }

  /** The context in which an expression runs: that of the page's scripts, or an isolated one for this class. */
  async #world(isolated: boolean): Promise<{ contextId?: number }> {
    if (!isolated) return {};
    const { frameTree } = await this.#client.send('Page.getFrameTree');
    const world = { frameId: frameTree.frame.id, worldName: WORLD };
    return { contextId: (await this.#client.send('Page.createIsolatedWorld', world)).executionContextId };
  }
}
