/** vlgym environments behind the OpenEnv server: both faces, metadata, tasks, snapshots, tools. */
import { createHash } from 'node:crypto';
import { make } from '@vlgym/core';
import { decodePng, hashImage } from '@vlgym/core/images';
import { digestObservation } from '@vlgym/core/trajectory';
import '@vlgym/points24';
import { afterEach, describe, expect, it } from 'vitest';
import { RawClient } from '../../test-support/raw-client.js';
import { type ServeOptions, type Serving, serve } from '../serve.js';

interface Answer {
  readonly type: string;
  readonly data: {
    readonly observation: Record<string, unknown> & { readonly text: string; readonly images: Picture[] };
    readonly reward: number | null;
    readonly done: boolean;
    readonly metadata: Record<string, unknown>;
    readonly message?: string;
    readonly code?: string;
    readonly detail?: { readonly code: string };
  };
}
interface Picture {
  readonly data: string;
  readonly url: string;
  readonly sha256: string;
  readonly width: number;
}

let serving: Serving | undefined;
afterEach(async () => {
  await serving?.close();
  serving = undefined;
});

async function connect(options: Partial<ServeOptions> = {}, query = ''): Promise<RawClient> {
  serving ??= await serve({ envs: ['vlgym/Points24-v1'], ...options });
  return RawClient.open(`${serving.urls[0]!.replace('http', 'ws')}/ws${query}`);
}
const ask = (client: RawClient, type: string, data?: unknown) =>
  client.ask(data === undefined ? { type } : { type, data }) as Promise<Answer>;

const reply = (action: string) => ({ thoughts: 'next', action });

describe('the text face', () => {
  it('shows the prompt of the dialogue with the picture of the environment', async () => {
    const client = await connect();
    const { data } = await ask(client, 'reset', { seed: 7 });
    const env = await make('vlgym/Points24-v1');
    const first = await env.reset({ seed: 7 });
    const prompt = env.dialogue!.prompt({ ...first, history: [] });
    expect(data.observation.text).toContain(typeof prompt[0]!.content === 'string' ? prompt[0]!.content : '');
    const [image] = data.observation.images;
    const picture = decodePng(Buffer.from(image!.data, 'base64'));
    expect(`sha256:${image!.sha256}`).toBe(hashImage(picture));
    expect(digestObservation(picture)).toBe(digestObservation(first.observation));
    expect(data).toMatchObject({ reward: null, done: false, metadata: { terminated: false, truncated: false } });
  });

  it('reads the same response as text, and as the JSON object that it is', async () => {
    const [one, two] = [await connect(), await connect()];
    for (const client of [one, two]) await ask(client, 'reset', { seed: 7 });
    const asText = await ask(one, 'step', { text: JSON.stringify(reply('(')) });
    expect(await ask(two, 'step', reply('('))).toEqual(asText);
    expect(asText.data.metadata.legal).toBe(true);
  });

  it('answers a response without an action with what is wrong, and does not step', async () => {
    const client = await connect();
    await ask(client, 'reset', { seed: 7 });
    const { data } = await ask(client, 'step', { text: 'hello' });
    expect(data).toMatchObject({ reward: 0, done: false, metadata: { legal: false, reason: 'no-action-marker' } });
    expect(data.observation.text).toContain(data.metadata.repairHint);
    expect((await ask(client, 'state')).data).toMatchObject({ step_count: 1, return: 0, seed: 7 });
  });

  it('refuses a step before a reset and after the end, with a code', async () => {
    const client = await connect({ envs: [{ id: 'vlgym/Points24-v1', maxEpisodeSteps: 1 }] });
    expect((await ask(client, 'step', reply('('))).data).toMatchObject({
      code: 'EXECUTION_ERROR',
      detail: { code: 'RESET_NEEDED' },
    });
    await ask(client, 'reset', { seed: 7 });
    const end = await ask(client, 'step', reply('('));
    expect(end.data).toMatchObject({ done: true, metadata: { truncated: true, truncationReason: 'time-limit' } });
    expect((await ask(client, 'step', reply('('))).data).toMatchObject({
      message: 'The episode is over; reset first.',
      code: 'EXECUTION_ERROR',
      detail: { code: 'RESET_NEEDED' },
    });
  });

  it('takes pictures as raw bytes or as addresses', async () => {
    const raw = await connect({}, '?images=raw');
    const { data } = await ask(raw, 'reset', { seed: 7 });
    const [picture] = data.observation.images;
    expect(Buffer.from(picture!.data, 'base64').length).toBe(300 * 300 * 3);
    const linked = await connect({}, '?images=url');
    const [link] = (await ask(linked, 'reset', { seed: 7 })).data.observation.images;
    const png = new Uint8Array(await (await fetch(`${serving!.urls[0]}/${link!.url}`)).arrayBuffer());
    expect(`sha256:${link!.sha256}`).toBe(hashImage(decodePng(png)));
  });
});

describe('the native face', () => {
  it('plays an episode whose digests equal those without a server', async () => {
    const client = await connect({}, '?face=native');
    const env = await make('vlgym/Points24-v1');
    const decode = (answer: Answer) => digestObservation(env.observationSpace.decode(answer.data.observation.value));
    const first = await env.reset({ seed: 3 });
    expect(decode(await ask(client, 'reset', { seed: 3 }))).toBe(digestObservation(first.observation));
    env.actionSpace.seed(1);
    for (let index = 0; index < 5; index += 1) {
      const action = env.actionSpace.sample();
      const step = await env.step(action);
      const answer = await ask(client, 'step', { action });
      expect(decode(answer)).toBe(digestObservation(step.observation));
      expect(answer.data.reward).toBe(step.reward);
      expect(answer.data.done).toBe(step.terminated || step.truncated);
      if (answer.data.done) break;
    }
  });

  it('refuses actions outside of the space by name, and continues', async () => {
    const client = await connect({}, '?face=native');
    await ask(client, 'reset', { seed: 3 });
    for (const action of [{ action: 99 }, {}, { action: 1, more: 2 }, { action: 'x' }]) {
      expect((await ask(client, 'step', action)).data.code).toBe('VALIDATION_ERROR');
    }
    expect((await ask(client, 'step', { action: '3' })).type).toBe('observation');
  });
});

describe('beyond the library', () => {
  it('continues from a snapshot in another session, exactly', async () => {
    const one = await connect({ snapshots: true, face: 'native' });
    await ask(one, 'reset', { seed: 3 });
    await ask(one, 'step', { action: 4 });
    const { snapshot } = (await ask(one, 'state')).data as unknown as { snapshot: unknown };
    const two = await connect({ snapshots: true });
    const branched = await ask(two, 'reset', { snapshot });
    expect(branched.data.observation.value).toBeDefined();
    const [left, right] = [await ask(one, 'step', { action: 11 }), await ask(two, 'step', { action: 11 })];
    expect(left.data.observation).toEqual(right.data.observation);
    expect((await ask(two, 'state')).data).toMatchObject({ step_count: 2 });
    expect((await ask(two, 'reset', { snapshot: { kind: 'other' } })).data.detail?.code).toBe('SNAPSHOT_MISMATCH');
  });

  it('plays the task that split and index name, from its side of the content split', async () => {
    const client = await connect({ face: 'native' });
    const { data } = await ask(client, 'reset', { split: 'test', index: 5 });
    const env = await make('vlgym/Points24-v1', { options: { split: 'test' } });
    const { observation } = await env.reset({ seed: 5 });
    expect(data.observation.value).toEqual(env.observationSpace.encode(observation));
    expect((await ask(client, 'reset', { split: 'none', index: 5 })).data.detail?.code).toBe('UNKNOWN_TASK');
  });

  it('offers the dialogue as tools', async () => {
    const client = await connect();
    await ask(client, 'reset', { seed: 7 });
    const call = { type: 'call_tool', tool_name: 'act', arguments: { action: JSON.stringify(reply('(')) } };
    const { data } = await ask(client, 'step', call);
    expect(data.observation).toMatchObject({ tool_name: 'act', error: null });
    expect(data.observation.result).toMatchObject({ data: { legal: true }, is_error: false });
    const bad = await ask(client, 'step', { ...call, arguments: {} });
    expect(bad.data.observation.error).toMatchObject({ error_type: 'invalid_args' });
  });

  it('64 sessions side by side play as they would one after the other', async () => {
    const play = async (seed: number) => {
      const client = await connect({}, '?face=native&images=raw');
      const hash = createHash('sha256');
      hash.update(JSON.stringify((await ask(client, 'reset', { seed })).data.observation));
      for (let index = 0; index < 3; index += 1) {
        hash.update(JSON.stringify((await ask(client, 'step', { action: (seed + index) % 17 })).data));
      }
      await client.close();
      return hash.digest('hex');
    };
    const seeds = Array.from({ length: 64 }, (_, seed) => seed);
    const together = await Promise.all(seeds.map(play));
    const alone: string[] = [];
    for (const seed of seeds) alone.push(await play(seed));
    expect(together).toEqual(alone);
  });

  it('serves several environments, each a full server under its name', async () => {
    serving = await serve({ envs: ['vlgym/EZPoints-v1', 'vlgym/Blackjack-v1'] });
    expect(serving.urls.map((url) => new URL(url).pathname)).toEqual(['/EZPoints-v1', '/Blackjack-v1']);
    expect(await (await fetch(`${serving.address}/list_environments`)).json()).toEqual(['EZPoints-v1', 'Blackjack-v1']);
    expect(await (await fetch(`${serving.urls[1]}/metadata`)).json()).toMatchObject({ name: 'Blackjack-v1' });
    const client = await RawClient.open(`${serving.urls[1]!.replace('http', 'ws')}/ws`);
    expect((await ask(client, 'reset', { seed: 1 })).data.observation.text).toMatch(/blackjack/i);
  });
});
