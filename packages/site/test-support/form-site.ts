/** A site with every kind of field, for tests: an order in one form, a frame, a shadow root, dialogs and two tabs. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const FORM = `<!doctype html><meta charset="utf-8"><title>Order</title>
<style>body { margin: 20px } .cover { position: fixed; left: 0; top: 0; width: 400px; height: 120px; background: #fff }
  #list { height: 60px; width: 300px; overflow: auto } #list div { height: 40px } iframe { width: 400px; height: 60px }
  .menu .items { display: none } .menu:hover .items { display: block }</style>
<h1>Order</h1>
<form id="form" action="/ordered" method="post" enctype="multipart/form-data">
  <p><label>Name <input name="name" value="nobody" required></label></p>
  <p><label>Count <input name="count" type="number"></label> <label>Day <input name="day" type="date"></label></p>
  <p><label>Color <select name="color"><option value="">none</option><option value="r">Red</option><option value="b">Blue</option></select></label></p>
  <p><label><input type="checkbox" name="gift"> Gift</label>
    <label><input type="radio" name="size" value="small"> Small</label> <label><input type="radio" name="size" value="large"> Large</label></p>
  <p><label>Letter <input type="file" name="letter"></label></p>
  <p><label>Code <input type="password" name="code"></label> <label>Note <textarea name="note"></textarea></label></p>
  <p><x-box></x-box><input type="hidden" name="shadow" id="shadow"><input type="hidden" name="framed" id="framed"></p>
  <iframe src="/frame" title="Address"></iframe>
  <p><button>Send it</button> <button type="button" disabled>Never</button></p>
</form>
<p><button id="ask">Ask</button> <output id="out"></output> <span id="twice">zero</span><button id="double">Twice</button></p>
<p><a href="/terms" target="_blank">Terms</a> <a href="/plain">Plain</a></p>
<div class="menu"><button>Menu</button><div class="items"><a href="/plain">Hidden link</a></div></div>
<div id="list" aria-label="Long list" tabindex="0">${Array.from({ length: 20 }, (_, index) => `<div>line ${index} <button type="button" onclick="out.textContent = 'line ${index}'">Pick ${index}</button></div>`).join('')}</div>
<script>
  customElements.define('x-box', class extends HTMLElement {
    connectedCallback() {
      this.attachShadow({ mode: 'open' }).innerHTML = '<label>Secret <input id="inner"></label>';
      this.shadowRoot.querySelector('input').oninput = ({ target }) => { shadow.value = target.value; };
    }
  });
  addEventListener('message', ({ data }) => { framed.value = data; });
  ask.onclick = () => { out.textContent = confirm('Really?') ? 'yes ' + prompt('Why?') : 'no'; };
  double.ondblclick = () => { twice.textContent = 'two'; };
  double.onkeydown = ({ key, ctrlKey }) => { if (ctrlKey && key === 'k') twice.textContent = 'keys'; };
</script>`;

const PAGES: Readonly<Record<string, string>> = {
  '/': FORM,
  '/frame':
    '<body style="margin: 4px"><label>Street <input oninput="parent.postMessage(value)"></label> <button>In frame</button></body>',
  '/terms': '<title>Terms</title><p>The terms.</p><button onclick="window.close()">Close me</button>',
  '/plain': '<title>Plain</title><p>Plain page.</p>',
  '/covered':
    '<button onclick="out.textContent=1">Under</button><output id="out">0</output><div style="position:fixed;inset:0;background:#fff"><button onclick="this.parentNode.remove()">Go away</button></div>',
};

export interface FormSite {
  readonly address: string;
  /** Bodies of orders that were sent. */
  readonly orders: string[];
  close(): void;
}

export async function openFormSite(): Promise<FormSite> {
  const orders: string[] = [];
  const server: Server = createServer((request, response) => {
    const path = request.url!.split('?')[0]!;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (path === '/ordered') orders.push(Buffer.concat(chunks).toString());
      const page = path === '/ordered' ? '<title>Thanks</title><p>Thank you.</p>' : PAGES[path];
      response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' });
      response.end(page ?? 'nothing here');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    orders,
    close: () => void server.close(),
  };
}

/** The fields of a multipart body, by name; a file as `name of the file: contents`. */
export function orderOf(body: string): Record<string, string> {
  const fields = body.matchAll(/name="(\w+)"(?:; filename="([^"]*)")?.*?\r\n\r\n(.*?)\r\n--/gs);
  return Object.fromEntries([...fields].map(([, name, file, text]) => [name!, file ? `${file}: ${text}` : text!]));
}
