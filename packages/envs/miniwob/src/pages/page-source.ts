/**
 * One page as one file: its scripts, style sheets and pictures inside, behind the clock. So an episode begins with one
 * request, and no picture comes later than the text around it.
 */
import { readFileSync } from 'node:fs';
import { extname, join, normalize, posix, sep } from 'node:path';
import { MiniWoBPagesMissingError } from './errors.js';
import { PAGE_CLOCK, PAGE_STYLE } from './page-clock.js';

const PICTURES: Readonly<Record<string, string>> = { '.png': 'image/png', '.gif': 'image/gif', '.jpg': 'image/jpeg' };
/** Longest picture that is written into a page, bytes. */
const MAX_INLINE_BYTES = 100_000;

export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ...PICTURES,
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

export class PageSource {
  readonly #pages = new Map<string, string>();

  /** @param folder  The folder `html` of the package. */
  constructor(readonly folder: string) {}

  /** The page of a task. @throws {MiniWoBPagesMissingError} */
  page(task: string): string {
    const known = this.#pages.get(task);
    if (known !== undefined) return known;
    const source = this.#text(`miniwob/${task}.html`);
    const whole = this.#pictures(this.#styles(this.#scripts(source)), 'miniwob');
    const begin = `<script>${PAGE_CLOCK}</script><style>${PAGE_STYLE}</style>`;
    const page = whole.replace(/<head>/i, (head) => head + begin);
    this.#pages.set(task, page);
    return page;
  }

  /** Any file of the folder, by its path; `undefined` if there is none. */
  file(path: string): Buffer | undefined {
    const local = normalize(path)
      .split(sep)
      .filter((part) => part !== '');
    if (local.includes('..')) return undefined;
    try {
      return readFileSync(join(this.folder, ...local));
    } catch {
      return undefined;
    }
  }

  #scripts(page: string): string {
    return page.replace(/<script\b[^<>]*><\/script>/gi, (tag) => {
      const [, path] = /\bsrc="([^"<>]*)"/i.exec(tag) ?? [];
      const code = path === undefined ? undefined : this.#text(posix.join('miniwob', path));
      return code === undefined || /<\/script/i.test(code) ? tag : `<script>${code}\n</script>`;
    });
  }

  #styles(page: string): string {
    return page.replace(/<link\b[^<>]*>/gi, (tag) => {
      const [, path] = /\bhref="([^"<>]*)"/i.exec(tag) ?? [];
      if (!path?.endsWith('.css')) return tag;
      const place = posix.join('miniwob', path);
      return `<style>${this.#pictures(this.#text(place), posix.dirname(place))}</style>`;
    });
  }

  /** Replaces paths of pictures that exist. @param from  Folder that the paths start in. */
  #pictures(text: string, from: string): string {
    return text.replace(/(["'(])([\w./-]{1,200}\.(?:png|gif|jpg))(?=["')])/g, (found, before: string, path: string) => {
      const bytes = this.file(posix.join(from, path));
      if (!bytes || bytes.length > MAX_INLINE_BYTES) return found;
      return `${before}data:${PICTURES[extname(path)]};base64,${bytes.toString('base64')}`;
    });
  }

  #text(path: string): string {
    const bytes = this.file(path);
    if (!bytes) throw new MiniWoBPagesMissingError(this.folder, path);
    return bytes.toString('utf8');
  }
}
