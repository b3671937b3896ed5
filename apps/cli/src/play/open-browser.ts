/** Opens an address with the system's opener, if it has one. The address is printed in any case. */
import { spawn } from 'node:child_process';

export function openBrowser(
  address: string,
  { platform, env }: Pick<NodeJS.Process, 'platform' | 'env'> = process,
): void {
  const [command, ...args] = openerOf(platform, env);
  if (command === undefined) return;
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
  child.on('error', () => {}); // not installed
  child.unref();
}

/** @returns Command and arguments, or nothing if no window could open. */
export function openerOf(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string[] {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : [];
}
