/**
 * Closes a connection whose client is silent: one that was stopped, or whose machine is gone, sends no last packet,
 * and its session would hold a place until it is idle.
 */
import type { Socket } from 'node:net';

export interface SilenceOptions {
  /** Whether the client waits for an answer: then it has nothing to say. */
  readonly isServing: () => boolean;
  readonly end: (seconds: number) => void;
}

/** @param seconds  Without a byte from the client or to it. */
export function endWhenSilent(socket: Socket, seconds: number, { isServing, end }: SilenceOptions): void {
  socket.setTimeout(seconds * 1000);
  // an answer starts the time again
  socket.on('timeout', () => {
    const heard = socket.bytesRead;
    // where another session kept the server busy, timers come before the bytes that have arrived in the meantime
    setImmediate(() => {
      if (!socket.destroyed && socket.bytesRead === heard && !isServing()) end(seconds);
    });
  });
}
