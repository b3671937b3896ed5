/** A function of the page that this process answers: cheaper than a request, which passes through three processes. */
import type { CDPSession } from '@vlgym/chromium';

export interface PageChannel {
  /** Name of the function. It takes a text and returns nothing. */
  readonly name: string;
  /** Function of the page that takes the answer, e.g. `page.answered`. */
  readonly reply: string;
  readonly answer: (text: string) => Promise<unknown>;
}

/** Opens the channel for all documents of the page. */
export async function openChannel(client: CDPSession, { name, reply, answer }: PageChannel): Promise<void> {
  client.on('Runtime.bindingCalled', (call) => {
    if (call.name !== name) return;
    const replied = async () => {
      const expression = `${reply}(${JSON.stringify(await answer(call.payload))})`;
      await client.send('Runtime.evaluate', { expression, contextId: call.executionContextId });
    };
    void replied().catch(() => undefined); // the document went away
  });
  await client.send('Runtime.enable');
  await client.send('Runtime.addBinding', { name });
}
