import { leaseBrowser } from '@vlgym/chromium';
import puppeteer from 'puppeteer-core';

const launch = puppeteer.launch.bind(puppeteer);
const [first, second] = await Promise.all([leaseBrowser({}, launch), leaseBrowser({}, launch)]);
console.log(first.browser === second.browser); // true

const page = await first.browser.newPage();
await page.goto('data:text/html,<title>hello</title>');
console.log(await page.title()); // hello

await first.release();
await second.release(); // the last user closes the browser
