/** Serves the pages on loopback, once for all environments of the process; ends with the last of them. */
import { extname } from 'node:path';
import { type HttpRequest, html, Listener, plain } from '@vlgym/core/http';
import { isTaskName } from '../tasks/tasks.js';
import { MEDIA_TYPES, PageSource } from './page-source.js';

interface Served {
  readonly source: PageSource;
  readonly listener: Listener;
  readonly origin: Promise<string>;
  users: number;
}

const servers = new Map<string, Served>();

export interface PageLease {
  /** E.g. `http://127.0.0.1:40123`. */
  readonly origin: string;
  /** Reads the page of a task. @throws {MiniWoBPagesMissingError} */
  ensure(task: string): void;
  release(): Promise<void>;
}

/** @param folder  The folder `html` of the package. */
export async function leasePages(folder: string): Promise<PageLease> {
  const current = servers.get(folder) ?? serve(folder);
  current.users += 1;
  const release = async () => {
    current.users -= 1;
    if (current.users > 0) return;
    if (servers.get(folder) === current) servers.delete(folder);
    await current.listener.close();
  };
  try {
    return { origin: await current.origin, ensure: (task) => void current.source.page(task), release };
  } catch (error) {
    await release();
    throw error;
  }
}

function serve(folder: string): Served {
  const source = new PageSource(folder);
  const listener = new Listener({
    maxConnections: 256,
    maxBodyBytes: 0,
    answer: (request) => answer(source, request),
  });
  listener.unref();
  const served = { source, listener, origin: listener.listen(), users: 0 };
  servers.set(folder, served);
  return served;
}

function answer(source: PageSource, { method, url }: HttpRequest) {
  if (method !== 'GET') return plain('Only GET', 405);
  const [, task] = /^\/miniwob\/([\w.-]{1,60})\.html$/.exec(url.pathname) ?? [];
  if (task !== undefined && isTaskName(task)) return html(source.page(task));
  const type = MEDIA_TYPES[extname(url.pathname)];
  const body = type === undefined ? undefined : source.file(decodeURIComponent(url.pathname));
  return body && type !== undefined ? { status: 200, type, body } : plain('Not found', 404);
}
