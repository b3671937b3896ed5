/**
 * The page of one environment. It has its own browser context, whose proxy nobody listens on; every request is answered
 * from memory or refused; a policy forbids everything else, too. The page is told nothing and can call nothing: what
 * this process asks are texts that come back as JSON.
 */

import {
  type BrowserContext,
  type BrowserLease,
  type CDPSession,
  type Page,
  type Protocol,
  within,
} from '@vlgym/chromium';
import { CONTROLLER, type PageConfig, type PageInput } from './controller.js';
import { leaseChromium } from './lease-chromium.js';
import { GameLostError } from './page-lost.js';

/** No name server knows it: RFC 6761, section 6.4. */
const ORIGIN = 'http://arcade.invalid';
/** Without an icon the browser would ask for one. */
const BLANK = '<!doctype html><title>game</title><link rel="icon" href="data:,">';
const POLICY = [
  `default-src 'none'`,
  `script-src 'unsafe-inline' 'unsafe-eval' data: blob: ${ORIGIN}`,
  `style-src 'unsafe-inline' data: ${ORIGIN}`,
  `img-src data: blob: ${ORIGIN}`,
  `font-src data: ${ORIGIN}`,
  `media-src data: blob: ${ORIGIN}`,
  `connect-src data: blob: ${ORIGIN}`,
  `frame-src 'none'`,
  `worker-src 'none'`,
  `form-action 'none'`,
  `base-uri 'none'`,
  // neither windows nor dialogs, downloads nor forms
  'sandbox allow-scripts allow-same-origin',
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  ...{ js: 'text/javascript', mjs: 'text/javascript', css: 'text/css', html: 'text/html', json: 'application/json' },
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
  ...{ svg: 'image/svg+xml', woff2: 'font/woff2', woff: 'font/woff', ttf: 'font/ttf', wasm: 'application/wasm' },
};

export interface GameSource {
  readonly html: string;
  /** Path, e.g. `img/ship.png` → contents. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
}

export interface GamePageOptions {
  readonly executablePath?: string | undefined;
  /** Chromium's own sandbox. */
  readonly sandbox?: boolean | undefined;
  readonly source: GameSource;
  readonly config: PageConfig;
  /** Milliseconds until a page counts as lost. */
  readonly timeout: number;
}

interface Opened {
  readonly lease: BrowserLease;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly client: CDPSession;
}

export class GamePage {
  readonly #options: GamePageOptions;
  #opened: Opened | undefined;
  #controller: string | undefined;
  #lost: string | undefined;
  #onLost: () => void = () => undefined;
  /** Requests since the episode began that would have left the page. */
  blockedRequests = 0;

  constructor(options: GamePageOptions) {
    this.#options = options;
  }

  /** Begins an episode in a new document. @returns What `look` of the controller says, as JSON. @throws {GameLostError} */
  async load(seed: number): Promise<string> {
    try {
      return await this.#guarded(async () => {
        const { page, client } = await this.#ensureOpen();
        this.blockedRequests = 0;
        this.#controller = undefined;
        await page.goto(`${ORIGIN}/`, { waitUntil: 'load', timeout: this.#options.timeout });
        const { result, exceptionDetails } = await client.send('Runtime.evaluate', {
          expression: `${CONTROLLER}(${seed}, ${JSON.stringify(this.#options.config)})`,
        });
        if (!result.objectId) throw new GameLostError('it could not be prepared', exceptionDetails);
        this.#controller = result.objectId;
        return this.#call('load', [this.#options.source.html]);
      });
    } catch (error) {
      await this.close(true);
      throw error;
    }
  }

  /** Plays actions of `frames` frames each. @returns What the page shows after the last one. @throws {GameLostError} */
  play(inputs: readonly PageInput[], frames: number): Promise<string> {
    return this.#guarded(() => {
      const [only] = inputs;
      return inputs.length === 1 ? this.#call('step', [only, frames]) : this.#call('replay', [inputs, frames]);
    });
  }

  /** @param broken  The browser must no longer be shared. */
  async close(broken = false): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    this.#controller = undefined;
    if (!opened) return;
    const closed = await within(2000, opened.context.close());
    await opened.lease.release(broken && !closed);
  }

  async #call(method: string, values: readonly unknown[]): Promise<string> {
    const { client } = this.#opened!;
    const { result, exceptionDetails } = await client.send('Runtime.callFunctionOn', {
      objectId: this.#controller!,
      functionDeclaration: `function (...values) { return this.${method}(...values); }`,
      arguments: values.map((value) => ({ value })),
      awaitPromise: true,
      returnByValue: true,
    });
    if (this.#lost !== undefined) throw new GameLostError(this.#lost);
    if (!exceptionDetails && typeof result.value === 'string') return result.value;
    const { exception, text = 'it answers with no text' } = exceptionDetails ?? {};
    throw new GameLostError((exception?.description ?? text).split('\n', 1)[0]!.slice(0, 300));
  }

  async #ensureOpen(): Promise<Opened> {
    if (this.#opened && !this.#opened.page.isClosed() && this.#opened.lease.browser.connected) return this.#opened;
    await this.close();
    const { executablePath, sandbox } = this.#options;
    const lease = await leaseChromium({ executablePath, sandbox });
    try {
      this.#lost = undefined;
      const proxy = { proxyServer: 'socks5://127.0.0.1:1', proxyBypassList: ['<-loopback>'] };
      const context = await lease.browser.createBrowserContext(proxy);
      // behind an empty tab: pages draw their canvases there, too, and nothing is drawn on a screen
      await context.newPage({ type: 'window' });
      const page = await context.newPage({ type: 'tab', background: true });
      const client = await page.createCDPSession();
      this.#opened = { lease, context, page, client };
      await this.#prepare(this.#opened);
      return this.#opened;
    } catch (error) {
      await lease.release(true);
      this.#opened = undefined;
      throw error;
    }
  }

  async #prepare({ page, client, context, lease }: Opened): Promise<void> {
    const { width, height } = this.#options.config;
    await page.setViewport({ width: Math.max(width, 320), height: Math.max(height, 240), deviceScaleFactor: 1 });
    await client.send('Emulation.setTimezoneOverride', { timezoneId: 'UTC' });
    await client.send('Emulation.setLocaleOverride', { locale: 'en-US' });
    await client.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    client.on('Fetch.requestPaused', (event) => void this.#answer(client, event).catch(() => undefined));
    await client.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
    await client.send('Page.enable');
    // events of an earlier page come late
    const lose = (reason: string) => {
      if (this.#opened?.page === page) this.#lose(reason);
    };
    client.on('Page.frameAttached', () => lose('it opened a frame, which has a clock of its own'));
    context.on('targetcreated', (target) => {
      if (target.type() !== 'page' || target === page.target()) return;
      this.blockedRequests += 1;
      void target
        .page()
        .then((opened) => opened?.close())
        .catch(() => undefined);
    });
    page.on('error', () => lose('it crashed'));
    page.on('close', () => lose('it was closed'));
    page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
    lease.browser.once('disconnected', () => lose('its browser ended'));
  }

  /** From memory, or not at all. A navigation that the game starts is answered with nothing: the page stays. */
  async #answer(client: CDPSession, { requestId, request, resourceType }: Protocol.Fetch.RequestPausedEvent) {
    const url = request.url;
    const path = url.startsWith(`${ORIGIN}/`) ? decodeURIComponent(new URL(url).pathname.slice(1)) : undefined;
    const headers = (type: string) => [
      { name: 'Content-Type', value: type },
      { name: 'Content-Security-Policy', value: POLICY },
    ];
    if (path === '' && resourceType === 'Document' && this.#controller === undefined) {
      const body = Buffer.from(BLANK).toString('base64');
      return client.send('Fetch.fulfillRequest', {
        requestId,
        responseCode: 200,
        responseHeaders: headers('text/html'),
        body,
      });
    }
    const file = path === undefined || resourceType === 'Document' ? undefined : this.#options.source.files.get(path);
    if (file !== undefined) {
      const type = TYPES[path!.slice(path!.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
      const body = Buffer.from(file).toString('base64');
      return client.send('Fetch.fulfillRequest', {
        requestId,
        responseCode: 200,
        responseHeaders: headers(type),
        body,
      });
    }
    if (/^(?:data|blob):/.test(url) && resourceType !== 'Document')
      return client.send('Fetch.continueRequest', { requestId });
    this.blockedRequests += 1;
    if (resourceType === 'Document') return client.send('Fetch.fulfillRequest', { requestId, responseCode: 204 });
    return client.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
  }

  #lose(reason: string): void {
    this.#lost ??= reason;
    this.#onLost();
  }

  /** @throws {GameLostError} The work takes longer than the limit, or the page went away. */
  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    const { timeout } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const end = new Promise<never>((_, reject) => {
      this.#onLost = () => reject(new GameLostError(this.#lost!));
      timer = setTimeout(() => reject(new GameLostError(`it did not answer within ${timeout} ms`)), timeout);
    });
    try {
      return await Promise.race([work(), end]);
    } catch (error) {
      if (error instanceof Error && 'code' in error) throw error;
      throw new GameLostError(this.#lost ?? 'an action failed', error);
    } finally {
      clearTimeout(timer);
      this.#onLost = () => undefined;
    }
  }
}
