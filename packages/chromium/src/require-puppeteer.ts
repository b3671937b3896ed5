/** puppeteer-core is an optional peer dependency of packages with pages: looked for when an environment is made. */
import { createRequire } from 'node:module';
import { GymError } from '@vlgym/core';

/** An environment in a browser was made where puppeteer-core is not installed. */
export class PuppeteerMissingError extends GymError {
  /** @param user  The package that needs it. @param instead  What works without it, if anything does. */
  constructor(user: string, instead?: string, cause?: unknown) {
    super('The package puppeteer-core is not installed.', {
      code: 'PUPPETEER_MISSING',
      expected: `puppeteer-core 24 next to ${user}`,
      hint: ['run `npm install puppeteer-core@24`', ...(instead === undefined ? [] : [instead])].join('; '),
      cause,
    });
  }
}

/**
 * @param module  The `import.meta.url` of the module that will import it: where it is resolved from.
 * @throws {PuppeteerMissingError}
 */
export function requirePuppeteer(module: string, user: string, instead?: string): void {
  try {
    createRequire(module).resolve('puppeteer-core');
  } catch (cause) {
    throw new PuppeteerMissingError(user, instead, cause);
  }
}
