/** A Redis server of Debian's package on a free port, to be killed and started again. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../../test/support/free-port.js';

const probe = spawnSync('redis-server', ['--version'], { encoding: 'utf8' });
export const hasRedis = probe.status === 0;
/** For the titles of skipped tests. */
export const reason = hasRedis ? '' : ' (skipped: redis-server is not installed; apt-get install redis-server)';

export class RedisServer {
  #process: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    readonly folder: string,
    readonly args: readonly string[],
    readonly ownsFolder: boolean,
  ) {}

  /** @param args  Besides port and folder; default: append-only file, synced every second. */
  static async start(
    args: readonly string[] = ['--appendonly', 'yes'],
    { folder }: { readonly folder?: string } = {},
  ): Promise<RedisServer> {
    const home = folder ?? (await mkdtemp(join(tmpdir(), 'vlgym-redis-')));
    for (let tries = 1; ; tries += 1) {
      const server = new RedisServer(await freePort(), home, args, folder === undefined);
      try {
        await server.start();
        return server;
      } catch (error) {
        if (tries === 5) throw error; // somebody else has taken the port in the meantime
      }
    }
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  async start(): Promise<void> {
    const own = ['--bind', '127.0.0.1', '--port', String(this.port), '--dir', this.folder, '--save', ''];
    const child = spawn('redis-server', [...own, '--maxmemory-policy', 'noeviction', ...this.args], {
      stdio: 'ignore',
    });
    this.#process = child;
    child.once('exit', () => {
      if (this.#process === child) this.#process = undefined;
    });
    const ended = once(child, 'exit').then(() => Promise.reject(new Error(`redis-server at ${this.url} has ended.`)));
    ended.catch(() => {});
    const client = this.client();
    try {
      // not another one that listens there
      const [, folder] = (await Promise.race([client.config('GET', 'dir'), ended])) as string[];
      if (folder !== (await realpath(this.folder))) throw new Error(`Another redis-server listens at ${this.url}.`);
    } catch (error) {
      await this.kill();
      throw error;
    } finally {
      client.disconnect();
    }
  }

  /** Resolves when it has ended by itself. */
  async ended(): Promise<void> {
    if (this.#process) await once(this.#process, 'exit');
  }

  /** Without a chance to write anything. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
    if (this.ownsFolder) await rm(this.folder, { recursive: true, force: true });
  }

  client(): Redis {
    const client = new Redis(this.url, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
    client.on('error', () => {});
    return client;
  }

  async memoryBytes(): Promise<number> {
    const client = this.client();
    const info = await client.info('memory');
    client.disconnect();
    return Number(/^used_memory:(\d+)/m.exec(info)![1]);
  }
}
