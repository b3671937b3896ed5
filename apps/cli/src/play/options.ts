/** Options of both ways to play, and the line that ends an episode. */
import type { EpisodeRow } from '@vlgym/agents';

export interface PlayOptions {
  readonly id: string;
  /** Seed of the first episode. */
  readonly seed: number;
  /** Default: one in the terminal; on the page as many as the person likes. */
  readonly episodes?: number | undefined;
  readonly envOptions: Readonly<Record<string, unknown>>;
  /** Folder for the episodes as trajectories. */
  readonly record?: string | undefined;
  readonly stdout: Pick<NodeJS.WritableStream, 'write'>;
  readonly signal: AbortSignal;
}

/** `Solved. Return 10 in 4 steps.` */
export function ending({ error, success, length, return: sum }: EpisodeRow): string {
  const verdict =
    error?.code === 'HUMAN_QUIT' ? 'Left.' : error ? `Failed: ${error.message}` : success ? 'Solved.' : 'Not solved.';
  const steps = length - (error ? 1 : 0); // a turn without a result is not a step
  return `${verdict} Return ${Number(sum.toFixed(3))} in ${steps} ${steps === 1 ? 'step' : 'steps'}.`;
}
