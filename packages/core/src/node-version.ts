/**
 * Refuses a Node that is too old as soon as anything of vlgym is loaded: it would otherwise fail later, with a TypeError about
 * a function that it does not have. `engines` of every package.json has the same version; npm only warns about it.
 */
import { GymError } from './errors.js';

const OLDEST = [20, 19] as const;

/** The version that runs this; none in a browser. */
const running = (): string | undefined =>
  (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node;

/** @throws {GymError} `NODE_TOO_OLD` */
export function assertNode(version: string | undefined = running()): void {
  if (version === undefined) return;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  throw new GymError(`vlgym needs Node ${OLDEST.join('.')} or newer.`, {
    code: 'NODE_TOO_OLD',
    value: version,
    expected: `Node ${OLDEST.join('.')} or newer`,
    hint: 'install a newer Node from https://nodejs.org, or with your version manager',
  });
}
