#!/usr/bin/env node
// Stands for a Python interpreter with alfworld: speaks the bridge's lines, and fails as its commands say.
import { createInterface } from 'node:readline';

const commands = ['die', 'flood', 'garbage', 'hang', 'look', 'mumble', 'raise', 'win'];
let [steps, limit] = [0, 0];

const calls = {
  create(request) {
    if (process.env.FAKE_PYTHON === 'bare') throw named('ModuleNotFoundError', "No module named 'alfworld'");
    if (process.env.FAKE_PYTHON === 'slow') return undefined;
    limit = request.steps;
    return { alfworld: '0', textworld: '0', python: '0' };
  },
  reset({ game }) {
    steps = 0;
    if (game.includes('broken')) throw named('ValueError', 'no such game');
    return seen(`Welcome.\n\nYour task is to: ${game.split('/').at(-2)}.`, false);
  },
  step({ action }) {
    steps += 1;
    if (action === 'die') {
      process.stderr.write('Segmentation fault in the planner\n', () => process.kill(process.pid, 'SIGSEGV'));
      return undefined;
    }
    if (action === 'flood') process.stdout.write(Buffer.alloc(2 ** 23 + 1, 120));
    if (action === 'garbage') process.stdout.write('Loading games...\n');
    if (action === 'raise') throw named('RuntimeError', 'out of plans');
    if (action === 'mumble') return { observation: 7 };
    return action === 'hang'
      ? undefined
      : seen(commands.includes(action) ? `${steps}` : 'Nothing happens.', action === 'win');
  },
};

const named = (name, message) => Object.assign(new Error(message), { name });
const seen = (observation, won) => ({
  observation,
  won,
  done: won || steps >= limit,
  commands,
  plan: ['win'],
  rate: null,
  frame: null,
});

for await (const line of createInterface({ input: process.stdin })) {
  const { id, call, ...request } = JSON.parse(line);
  try {
    const result = calls[call](request);
    if (result) process.stdout.write(`${JSON.stringify({ id, result })}\n`);
  } catch ({ name: type, message }) {
    process.stderr.write(`Traceback: ${message}\n`);
    process.stdout.write(`${JSON.stringify({ id, error: { type, message } })}\n`);
  }
}
