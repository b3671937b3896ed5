import { request } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCatalog } from '../catalog/read-raw.js';
import { Shop } from '../shop/shop.js';
import { drawPicture } from './picture.js';
import { parseOptions, parsePythonList } from './python-literal.js';
import { formatRoute, parseRoute } from './routes.js';
import { ShopServer } from './shop-server.js';

const hostile = (asin: string, extra: object = {}) => ({
  asin,
  name: `<script>alert(1)</script> "Rug" & 'Lamp' for Home ${asin}`,
  full_description: '</p><img src=x onerror=alert(2)>',
  pricing: '$9.99',
  images: ['javascript:alert(3)'],
  product_category: 'Home › Rugs',
  small_description: ['<b>soft</b>', ''],
  customization_options: { 'Co"lor\'<i>': [{ value: '"red" & <blue>' }, { value: "café's 東京" }] },
  category: 'garden',
  query: 'rugs',
  ...extra,
});

const { products } = loadCatalog({
  products: [hostile('B000000001'), hostile('B000000002')],
  attributes: {
    B000000001: { attributes: ['soft'], instruction: 'Find me <i>rugs</i>', instruction_attributes: ['soft'] },
  },
});

describe('the shop server', () => {
  const server = new ShopServer(new Shop(products), { seed: 1 });
  let url = '';
  beforeAll(async () => {
    url = await server.listen();
  });
  afterAll(() => server.close());
  const get = (path: string, init?: RequestInit) => fetch(url + path, { redirect: 'manual', ...init });

  it('listens on loopback and allows only its own style and script', async () => {
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const response = await get('/visit');
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect((await response.text()).match(/(?:src|href)="(?!\/|#|data:image\/svg)/g)).toBeNull();
  });

  it('serves the font of its pages', async () => {
    const style = await (await get('/static/shop.css')).text();
    const files = [...style.matchAll(/url\(([^)]+)\)/g)].map(([, address]) => address!);
    expect(files).toContain('/static/fonts/inter-latin-wght-normal.woff2');
    for (const file of files) {
      const response = await get(file);
      expect([file, response.status, response.headers.get('content-type')]).toEqual([file, 200, 'font/woff2']);
      expect(Buffer.from(await response.arrayBuffer()).toString('latin1', 0, 4)).toBe('wOF2');
    }
    for (const path of ['/static/fonts/none.woff2', '/static/fonts/../../package.json', '/static/x']) {
      expect((await get(path)).status).toBe(404);
    }
  });

  it('escapes product text on every page', async () => {
    await get('/visit');
    const options = encodeURIComponent(JSON.stringify({ 'co"lor\'<i>': '"red" & <blue>' }));
    const item = `B000000001/rug/1`;
    for (const path of [
      '/visit',
      '/search_results/visit/rug/1',
      `/item_page/visit/${item}/${options}`,
      `/item_sub_page/visit/${item}/Description/{}`,
      `/item_sub_page/visit/${item}/Features/{}`,
    ]) {
      const text = await (await get(path)).text();
      expect(text).not.toMatch(/<script>|<b>|<i>|onerror=alert(?!\(2\)&gt;)|javascript:/);
    }
    expect(await (await get(`/item_page/visit/${item}/${options}`)).text()).toContain('checked=""');
  });

  it('searches by form, whatever it contains', async () => {
    await get('/form');
    const body = new URLSearchParams({ search_query: 'Red  RUG + <b> ../.. %00' });
    const response = await get('/form', { method: 'POST', body });
    expect(response.status).toBe(303);
    await get(response.headers.get('location')!);
    expect(server.session('form')).toMatchObject({
      page: 'results',
      keywords: ['red', '', 'rug', '+', '<b>', '../..', '%00'],
    });
  });

  it('accepts the addresses that clients of the original write by hand', async () => {
    await get('/fixed_0');
    await get("/search_results/fixed_0/['red', 'rug']/1");
    expect(server.session('fixed_0')!.keywords).toEqual(['red', 'rug']);
    const response = await get("/done/fixed_0/B000000001/{'co\"lor%5C'<i>': '\"red\" & <blue>', 'size': 'none'}");
    expect(await response.text()).toContain('Your score');
    expect(server.session('fixed_0')).toMatchObject({ done: true, reward: expect.any(Number) });
    expect([...server.session('fixed_0')!.options]).toHaveLength(1);
  });

  it('has a cart only on request', async () => {
    const path = '/cart/carted/B000000002/x/1/{}';
    await get('/carted');
    expect((await get(path)).status).toBe(404);
    await using withCart = new ShopServer(new Shop(products, { cart: true }));
    const there = await withCart.listen();
    await fetch(`${there}/fixed_0`);
    const item = await (await fetch(`${there}/item_page/fixed_0/B000000002/x/1/{}`)).text();
    const [, buy] = / action="([^"]*)"[^>]*><button[^>]*>Buy Now/.exec(item)!;
    const cart = await (await fetch(there + buy)).text();
    expect(cart).toContain('<title>WebShop - Cart</title>');
    const [, order] = / action="([^"]*)"[^>]*><button[^>]*>Place Order/.exec(cart)!;
    expect(withCart.session('fixed_0')!.done).toBe(false);
    await fetch(there + order, { method: 'POST' });
    expect(withCart.session('fixed_0')!.done).toBe(true);
  });

  it('separates visits', async () => {
    await Promise.all([get('/one'), get('/two')]);
    await Promise.all([get('/search_results/one/rug/1'), get('/item_page/two/B000000002/x/1/{}')]);
    expect(server.session('one')).toMatchObject({ page: 'results', asin: null });
    expect(server.session('two')).toMatchObject({ page: 'item', asin: 'B000000002' });
  });

  it('reports a purchase once, and shows the parts of its score', async () => {
    const told: (number | null)[] = [];
    const other = new ShopServer(server.shop, { onDone: ({ reward, parts }) => told.push(parts && reward) });
    const address = await other.listen();
    await fetch(`${address}/fixed_0`);
    expect(told).toEqual([]);
    for (let visit = 0; visit < 2; visit += 1) {
      const text = await (await fetch(`${address}/done/fixed_0/B000000001/{}`)).text();
      expect(text).toMatch(/<table id="parts">.*<td>attributes<\/td><td>100 %<\/td>/);
    }
    expect(told).toEqual([other.session('fixed_0')!.reward]);
    await other.close();
  });

  it('counts the first purchase only', async () => {
    await get('/fixed_00');
    await get('/done/fixed_00/B000000001/{}');
    const { reward } = server.session('fixed_00')!;
    await get('/done/fixed_00/B000000002/{}');
    expect(server.session('fixed_00')).toMatchObject({ asin: 'B000000001', reward });
  });

  it.each([
    ['/search_results/nobody/rug/1', 404],
    ['/item_page/visit/NOSUCH/rug/1/{}', 404],
    ['/item_page/visit/B000000001/rug/1/{broken', 404],
    ['/search_results/visit/rug/0', 404],
    ['/%E0%A4%A/x', 404],
    ['/a/b/c/d', 404],
    [`/${'x'.repeat(65)}`, 404],
    ['/', 303],
  ])('answers %s with %i', async (path, status) => {
    await get('/visit');
    expect((await get(path)).status).toBe(status);
  });

  it('refuses other methods and endless forms, and keeps serving', async () => {
    expect((await get('/visit', { method: 'DELETE' })).status).toBe(405);
    const endless = await get('/visit', { method: 'POST', body: `search_query=${'x'.repeat(500_000)}` });
    expect(endless.status).toBe(413);
    expect((await get('/visit')).status).toBe(200);
  });

  it('answers HEAD like GET, without the body', async () => {
    const [head, whole] = [await get('/visit', { method: 'HEAD' }), await get('/visit')];
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'));
  });

  /** Status of a request with another `Host` header. */
  const askedAs = (host: string, address = url) =>
    new Promise<number>((resolve, reject) => {
      request(`${address}/visit`, { headers: { host } }, (response) => resolve(response.resume().statusCode!))
        .on('error', reject)
        .end();
    });

  it('answers only to its own names, which prevents DNS rebinding', async () => {
    for (const host of ['localhost:80', '127.0.0.1', '[::1]:3000'])
      expect([host, await askedAs(host)]).toEqual([host, 200]);
    for (const host of ['evil.example', 'shop.example:80', 'localhost.evil.example']) {
      expect([host, await askedAs(host)]).toEqual([host, 403]);
    }
    await using named = new ShopServer(server.shop, { names: ['shop.example'] });
    const address = await named.listen();
    expect(await askedAs('Shop.example:80', address)).toBe(200);
    expect(await askedAs('evil.example', address)).toBe(403);
  });

  it('drops the least recently used session', async () => {
    await using small = new ShopServer(server.shop, { mostSessions: 2 });
    const address = await small.listen();
    for (const id of ['a', 'b', 'a', 'c']) await fetch(`${address}/${id}`);
    expect(['a', 'b', 'c'].map((id) => small.session(id) !== undefined)).toEqual([true, false, true]);
  });

  it('shows a page again without counting it again', async () => {
    await get('/again');
    for (let visit = 0; visit < 3; visit += 1) await get('/search_results/again/rug/1');
    expect(server.session('again')!.counts.search).toBe(1);
    expect(server.addressOf(server.session('again')!)).toBe(`${url}/search_results/again/rug/1`);
  });

  it('has no pages after the last hit on request', async () => {
    expect(await (await get('/search_results/visit/rug/7')).text()).toContain('Page 7');
    await using ending = new ShopServer(server.shop, { endless: false });
    const address = await ending.listen();
    await fetch(`${address}/fixed_0`);
    for (const words of ['rug', 'nothing-like-it']) {
      expect(await (await fetch(`${address}/search_results/fixed_0/${words}/7`)).text()).toContain('Page 1');
    }
  });

  it('closes once and frees its port', async () => {
    const other = new ShopServer(server.shop);
    const address = await other.listen();
    const port = Number(new URL(address).port);
    await expect(new ShopServer(server.shop, { port }).listen()).rejects.toMatchObject({ code: 'PORT_TAKEN' });
    await other.close();
    await other.close();
    const again = new ShopServer(server.shop, { port });
    expect(await again.listen()).toBe(address);
    await again.close();
  });
});

describe('addresses', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 12 });
  const words = fc.array(
    text.map((value) => value.replaceAll(' ', '')),
    { minLength: 1, maxLength: 4 },
  );

  it('describe a full page: parsing inverts formatting', () => {
    const options = fc.array(fc.tuple(text, text), { maxLength: 3 }).map((pairs) => new Map(pairs));
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 99 }), options, (keywords, number, chosen) => {
        const place = { session: 's-1', keywords, number };
        const product = { ...place, asin: 'B0', options: chosen };
        for (const route of [
          { page: 'results', ...place },
          { page: 'item', ...product },
          { page: 'cart', ...product },
          { page: 'sub-page', subPage: 'Features', ...product },
        ] as const) {
          const { pathname } = new URL(formatRoute(route), 'http://shop');
          expect(parseRoute(pathname)).toEqual(route);
        }
      }),
    );
  });

  it.each([
    ["['a', \"b'c\"]", ['a', "b'c"]],
    ['[]', []],
    ['red shoes', undefined],
    ["['a' 'b']", undefined],
    ["['\\x41\\u0042\\n']", ['AB\n']],
  ])('reads the list %s', (literal, list) => expect(parsePythonList(literal)).toEqual(list));

  it.each([
    ["{'a': 'b'}", [['a', 'b']]],
    [
      '{"a": "b", "c": "\\u00e9"}',
      [
        ['a', 'b'],
        ['c', 'é'],
      ],
    ],
    ['{}', []],
    ["{'a'}", undefined],
    ['x', undefined],
  ])('reads the options %s', (literal, pairs) => {
    const read = parseOptions(literal);
    expect(read && [...read]).toEqual(pairs);
  });
});

it('draws color, pattern, and number, and nothing else', () => {
  const one = drawPicture({ shape: 'shoe', color: 'red', pattern: 'plain', pack: 1 });
  const other = drawPicture({ shape: 'shoe', color: 'red', pattern: 'striped', pack: 3 });
  expect(one).toContain('#c0282d');
  expect(one.match(/<g /g)).toHaveLength(1);
  expect(other.match(/<g /g)).toHaveLength(3);
  expect(other).toContain('url(#pattern)');
  expect(drawPicture({ shape: '<x>' as never, color: '"><script>', pattern: 'plain', pack: 1 })).not.toMatch(
    /<script|<x>/,
  );
});
