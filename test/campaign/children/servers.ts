/** The shop's server and the play page's, in one process; their addresses come as one line of JSON. It runs until it is killed. */
import { generateProducts, Shop, ShopServer } from '@vlgym/webshop';
import '../../../apps/cli/src/environments.js';
import { playOnPage } from '../../../apps/cli/src/play/on-page.js';

const shop = new ShopServer(new Shop(generateProducts({ products: 120, seed: 1 })), { seed: 1 });
const shopAddress = await shop.listen();
const pageAddress = await new Promise<string>((onListening, reject) => {
  const options = { id: 'vlgym/NumberLine-v1', seed: 1, envOptions: {}, stdout: process.stderr };
  playOnPage({ ...options, signal: new AbortController().signal, onListening }).catch(reject);
});
process.stdout.write(`${JSON.stringify({ shop: shopAddress, page: pageAddress })}\n`);
