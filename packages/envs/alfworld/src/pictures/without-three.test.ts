/** The text game neither needs nor loads three.js. */
import { make } from '@vlgym/core';
import { expect, it, vi } from 'vitest';
import { AlfworldEnv } from '../env/alfworld.js';
import '../register.js';

vi.mock('three', () => {
  throw new Error('three is not installed');
});

it('plays as text without three.js', async () => {
  const env = await make('vlgym/ALFWorld-v1');
  await env.reset({ seed: 1 });
  expect((await env.step('look')).observation).toContain('middle of a room');
  await env.close();
});

it('says what to install when pictures are requested', async () => {
  expect(() => new AlfworldEnv({ observation: 'image' })).toThrow(
    expect.objectContaining({ code: 'PICTURES_NOT_LOADED', hint: expect.stringContaining('loadPictures') }),
  );
  await expect(make('vlgym/ALFWorldPictures-v1')).rejects.toMatchObject({
    code: 'PICTURES_UNAVAILABLE',
    hint: 'npm install three @vlgym/render',
  });
});

it.each([
  [{ observation: 'picture' }, 'observation'],
  [{ obsWidth: 0 }, 'obsWidth'],
  [{ obsHeight: 12.5 }, 'obsHeight'],
])('refuses %o', (options, option) => {
  expect(() => new AlfworldEnv(options as never)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION', option }));
});
