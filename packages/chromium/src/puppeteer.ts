/** puppeteer-core, which the build puts into one file, so that nobody installs it. Loaded with the first browser. */
import puppeteer, { type Browser, type LaunchOptions } from 'puppeteer-core';

export const launch = (options: LaunchOptions): Promise<Browser> => puppeteer.launch(options);
