import { expect, it } from 'vitest';
import { importOptional } from './import-optional.js';

const failing = (code: string) => () => Promise.reject(Object.assign(new Error('broken'), { code }));

it('names the package to install', async () => {
  await expect(importOptional('ai', failing('ERR_MODULE_NOT_FOUND'))).rejects.toMatchObject({
    code: 'MISSING_PACKAGE',
    packageName: 'ai',
    hint: 'run `npm install ai`',
  });
});

it('does not report other failures as a missing package', async () => {
  await expect(importOptional('ai', failing('ERR_INVALID_PACKAGE_CONFIG'))).rejects.toThrow('broken');
});
