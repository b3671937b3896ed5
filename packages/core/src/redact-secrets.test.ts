import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REDACTED, redactSecrets } from './redact-secrets.js';

const KEYS = [
  'sk-abcdefghijklmnopqrstuvwx',
  'sk-proj-Ab1_cD2-eF3gH4iJ5kL6',
  'sk-ant-api03-Ab1_cD2-eF3gH4iJ5kL6mN7',
  'sk-abcd************wxyz',
  'AIzaSyA1234567890abcdefghijklmnopqrstuv',
  'ghp_0123456789abcdefghijABCDEFGHIJ012345',
  'github_pat_11ABCDEFG0abcdefghijkl_mnopqrstu',
  'hf_abcdefghijklmnopqrstuvwxyzABCDEFGH',
  'xoxb-123456789012-abcdefABCDEF',
  'AKIAIOSFODNN7EXAMPLE',
  'gsk_abcdefghijklmnop',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.abc-def_123',
];

describe('redactSecrets', () => {
  it.each(KEYS)('redacts a key by its shape: %s', (key) => {
    for (const text of [`Incorrect API key provided: ${key}.`, `"${key}"`, `x=${key}&y`, `Bearer ${key}`, key]) {
      const result = redactSecrets(text);
      expect(result).toContain(REDACTED);
      expect(result).not.toContain(key.slice(4, 12));
    }
  });

  it.each([
    ['Authorization: Bearer abc123def456', 'abc123def456'],
    ['{"authorization":"Bearer opaque-token-without-digits"}', 'opaque-token'],
    ["headers: { 'x-api-key': 'hunter2hunter2' }", 'hunter2'],
    ['api_key=my-own-secret&model=m', 'my-own-secret'],
    ['GET https://host/v1?key=my-own-secret failed', 'my-own-secret'],
    ['connect to https://user:my-own-secret@host/v1 failed', 'my-own-secret'],
    ['Proxy-Authorization: Basic dXNlcjpwYXNzMTIz', 'dXNlcjpwYXNzMTIz'],
  ])('redacts values in places of secrets: %s', (text, secret) => {
    expect(redactSecrets(text)).not.toContain(secret);
  });

  it.each([
    'HTTP 401: Bearer authentication is required',
    'The risk-averse task-manager asked scikit-learn for sk-learn.',
    'HTTP 404: The model "qwen2.5-vl-7b" does not exist. See https://host/v1/models?page=2',
    'The environment gave no answer within 300000 ms.',
    'sha256:9b58a1294fec3f7764eefb28076e56072994d277f73daa1349a4dd6db299207f',
  ])('keeps the text that explains the error: %s', (text) => {
    expect(redactSecrets(text)).toBe(text);
  });

  it('redacts known secrets of any shape, encoded or not, and is idempotent', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 8 }), fc.string(), (before, secret, after) => {
        fc.pre(!REDACTED.includes(secret) && secret.trim() === secret);
        const text = `${before}${secret}${after} ${encodeURIComponent(secret)} ${JSON.stringify(secret)}`;
        const once = redactSecrets(text, [secret]);
        expect(once.replaceAll(REDACTED, '')).not.toContain(secret);
        expect(redactSecrets(once, [secret])).toBe(once);
      }),
    );
  });

  it('scans a megabyte of near misses in under a second of processor time', () => {
    for (const piece of [
      'sk-',
      'eyJaaaaaaaa.',
      'bearer ',
      '://a',
      'authorization:',
      '?key',
      'xoxb',
      '_',
      ' '.repeat(9),
    ]) {
      const text = piece.repeat(Math.ceil(1e6 / piece.length));
      const started = process.cpuUsage(); // of this process alone: others may take the processor in the meantime
      redactSecrets(text, ['some-secret']);
      const { user, system } = process.cpuUsage(started);
      expect((user + system) / 1e6, piece).toBeLessThan(1);
    }
  });
});
