import { leaseBrowser } from '@vlgym/chromium';

const [first, second] = await Promise.all([leaseBrowser(), leaseBrowser()]);
console.log(first.browser === second.browser); // true

const page = await first.browser.newPage();
await page.goto('data:text/html,<title>hello</title>');
console.log(await page.title()); // hello

await first.release();
await second.release(); // the last user closes the browser
