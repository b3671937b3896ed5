/** The codec reads prompts as the policy of the same model does. */
import { expect, it } from 'vitest';
import { createPolicy } from './create-policy.js';
import { picture } from './policy.test-helper.js';
import { openTokenCodec } from './token-codec.js';

it('encodes, decodes and resizes as the policy does, without its weights', async () => {
  const policy = await createPolicy({ preset: 'tiny' });
  const codec = await openTokenCodec({ preset: 'tiny' });
  const image = picture(3, 70, 130);
  const messages = [
    { role: 'system' as const, content: 'Say what you see.' },
    {
      role: 'user' as const,
      content: [
        { type: 'image' as const, image },
        { type: 'text' as const, text: 'Now?' },
      ],
    },
  ];
  const input = codec.encode(messages);
  expect(input).toEqual(policy.encode(messages));
  // the size that is sent has as many tokens as the picture that was seen
  const sent = codec.resize(image);
  expect(sent.height % 28).toBe(0);
  const resized = [{ ...messages[1]!, content: [{ type: 'image' as const, image: sent }] }];
  const places = (ids: Int32Array) => ids.filter((id) => id === codec.imageToken).length;
  expect(places(codec.encode(resized).promptIds)).toBe(places(input.promptIds));
  const { ids, tokenEnds } = policy.encodeResponse('go left');
  expect(codec.decode(ids)).toEqual({ text: 'go left', tokenEnds });
  expect(codec.endTokens).toContain(ids.at(-1));
  policy.close();
});

it('refuses a preset that nobody has', async () => {
  await expect(openTokenCodec({ preset: 'huge' })).rejects.toMatchObject({ code: 'UNKNOWN_MODEL' });
});
