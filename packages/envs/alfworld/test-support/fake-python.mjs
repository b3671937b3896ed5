#!/usr/bin/env node
// Stands for a Python interpreter with alfworld: speaks the bridge's lines, and fails as its commands say.
import { createInterface } from 'node:readline';

const [, , , memoryLimit] = process.argv;
const games = new Map(); // by environment: steps and their limit

const write = (text) => new Promise((resolve) => process.stdout.write(text, resolve));
const beat = () => write('{"alive": true}\n');
const never = new Promise(() => {});
const die = (words, signal) => {
  process.stderr.write(`${words}\n`, () => process.kill(process.pid, signal));
  return never;
};

/** Actions of a command before it is answered, if it is answered at all. */
const deeds = {
  burst: () => die("terminate called after throwing an instance of 'std::bad_alloc'", 'SIGABRT'),
  die: () => die('Segmentation fault in the planner', 'SIGSEGV'),
  async eat() {
    if (memoryLimit) throw named('MemoryError', '');
  },
  flood: () => write(Buffer.alloc(2 ** 23 + 1, 120)),
  garbage: () => write('Loading games...\n'),
  async half(id) {
    await write(`{"id": ${id}, "resu`);
    process.exit(0);
  },
  hang: () => never,
  async strain() {
    for (let second = 0; second < 3; second += 1) await beat();
  },
  async look() {},
  async mumble() {},
  async raise() {
    throw named('RuntimeError', 'out of plans');
  },
  async stammer() {},
  toil() {
    setInterval(beat, 10);
    return never;
  },
  async win() {},
};
const commands = Object.keys(deeds);

const calls = {
  async create({ env, steps }) {
    if (process.env.FAKE_PYTHON === 'bare') throw named('ModuleNotFoundError', "No module named 'alfworld'");
    if (process.env.FAKE_PYTHON === 'slow') await never;
    games.set(env, { steps: 0, limit: steps });
    return { alfworld: '0', textworld: '0', python: '0' };
  },
  async reset({ env, game }) {
    games.get(env).steps = 0;
    if (game.includes('broken')) throw named('ValueError', 'no such game');
    return seen(env, `Welcome.\n\nYour task is to: ${game.split('/').at(-2)}.`, false);
  },
  async step({ id, env, action }) {
    games.get(env).steps += 1;
    await deeds[action]?.(id);
    if (action === 'mumble') return { observation: 7 };
    return seen(env, action in deeds ? `${games.get(env).steps}` : 'Nothing happens.', action === 'win');
  },
  async close({ env }) {
    if (!games.delete(env)) throw named('KeyError', `${env}`);
    return {};
  },
};

const named = (name, message) => Object.assign(new Error(message), { name });
const seen = (env, observation, won) => ({
  observation,
  won,
  done: won || games.get(env).steps >= games.get(env).limit,
  commands,
  plan: ['win'],
  rate: null,
  frame: null,
});

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const { id, call, action } = request;
  try {
    const reply = `${JSON.stringify({ id, result: await calls[call](request) })}\n`;
    for (const part of action === 'stammer' ? [reply.slice(0, 9), reply.slice(9)] : [reply]) await write(part);
  } catch ({ name: type, message }) {
    process.stderr.write(`Traceback: ${message}\n`);
    await write(`${JSON.stringify({ id, error: { type, message } })}\n`);
  }
}
