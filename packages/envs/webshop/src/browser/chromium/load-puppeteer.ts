/** puppeteer-core is an optional peer dependency: found when an environment is made, loaded when its browser starts. */
import { createRequire } from 'node:module';
import { GymError } from '@vlgym/core';

/** An environment in a browser was made where puppeteer-core is not installed. */
export class PuppeteerMissingError extends GymError {
  constructor(cause?: unknown) {
    super('The package puppeteer-core is not installed.', {
      code: 'PUPPETEER_MISSING',
      expected: 'puppeteer-core 24 next to @vlgym/webshop',
      hint: "run `npm install puppeteer-core@24`; 'vlgym/WebShop-v1' plays the same shop as text and does not need it",
      cause,
    });
  }
}

/** @throws {PuppeteerMissingError} */
export function requirePuppeteer(): void {
  try {
    createRequire(import.meta.url).resolve('puppeteer-core');
  } catch (cause) {
    throw new PuppeteerMissingError(cause);
  }
}

export async function loadPuppeteer(): Promise<typeof import('puppeteer-core').default> {
  return (await import('puppeteer-core')).default;
}
