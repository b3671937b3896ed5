/**
 * `NODE_OPTIONS` of a process that sends itself a signal at a certain moment: one from outside comes at any time, also when
 * all is over.
 */

const preload = (program: string) => ({
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(program)}`,
});

/** After the message of this number and type to the process that started it. */
export const endAtMessage = (type: string, number: number, signal: NodeJS.Signals) =>
  preload(`
    const { send } = process;
    let messages = 0;
    if (send) process.send = function (message, ...rest) {
      const isSent = send.call(this, message, ...rest);
      if (message.type === ${JSON.stringify(type)} && ++messages === ${number}) process.kill(process.pid, '${signal}');
      return isSent;
    };`);

/** In the process of this rank, as soon as the file is there. */
export const endRankAtFile = (rank: number, file: string, signal: NodeJS.Signals) =>
  preload(`
    import { existsSync } from 'node:fs';
    const look = () => existsSync(${JSON.stringify(file)}) && process.kill(process.pid, '${signal}');
    if (process.env.RANK === '${rank}') setInterval(look, 1).unref();`);
