/** A worker thread of `ThreadPool`: loaded by file name, not imported. */
import { parentPort } from 'node:worker_threads';
import { type Task, TaskRunner } from './task-runner.js';

const runner = new TaskRunner();
parentPort!.on('message', (task: Task) => {
  const { answer, transfer } = runner.run(task);
  parentPort!.postMessage(answer, transfer);
});
