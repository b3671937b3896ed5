/** Browsers by their shape, so that no driver and none of its types is needed. */

/** The process of a browser, as far as it is needed. */
export interface BrowserProcess {
  once(event: 'exit', listener: () => void): unknown;
  kill(signal: 'SIGKILL'): boolean;
  unref(): void;
  readonly stdio?: readonly unknown[] | undefined;
}

/** A browser, as far as it is needed; puppeteer's `Browser` is one. */
export interface BrowserLike {
  readonly connected: boolean;
  once(event: 'disconnected', listener: () => void): unknown;
  close(): Promise<void>;
  /** `null` for a browser that was not started here. */
  process(): BrowserProcess | null;
}

/** How a browser is started, in the words of puppeteer's `launch`. */
export interface BrowserStart {
  readonly executablePath: string;
  readonly userDataDir: string;
  readonly args: string[];
  readonly headless: true;
  /** Cheaper than a socket, no page can reach it, and it closes with this process. */
  readonly pipe: true;
  readonly handleSIGINT: false;
  readonly handleSIGTERM: false;
  readonly handleSIGHUP: false;
}
