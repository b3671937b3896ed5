/** The profile folder of a Chromium: a new one for each browser, deleted when the browser ends. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownIdentity, type ProcessIdentity, stateOf } from '@vlgym/core/internal';
import type { Browser } from 'puppeteer-core';

/** Turns off speculative connections, which would count as attempts to leave; Chromium has no flag for it. */
const PREFERENCES = { net: { network_prediction_options: 2 } };

const PROFILE = 'vlgym-chromium-';
/** File in each profile that names its process. */
const OWNER = 'vlgym-owner.json';

/** Launches a browser with its own profile folder, which is deleted when the browser or this process ends. */
export async function withProfile(launch: (userDataDir: string) => Promise<Browser>): Promise<Browser> {
  await removeStaleProfiles(tmpdir());
  const folder = mkdtempSync(join(tmpdir(), PROFILE));
  writeFileSync(join(folder, OWNER), JSON.stringify(await ownIdentity()));
  mkdirSync(join(folder, 'Default'));
  writeFileSync(join(folder, 'Default', 'Preferences'), JSON.stringify(PREFERENCES));
  try {
    const browser = await launch(folder);
    const onExit = () => discard(folder);
    process.once('exit', onExit);
    browser.process()!.once('exit', () => {
      process.off('exit', onExit);
      // Child processes of a killed browser may still write for a moment.
      if (!discard(folder)) void rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
    });
    return browser;
  } catch (error) {
    discard(folder);
    throw error;
  }
}

/** Removes profiles left behind by processes that were killed. */
export async function removeStaleProfiles(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith(PROFILE)) continue;
    try {
      const owner = JSON.parse(await readFile(join(home, name, OWNER), 'utf8')) as ProcessIdentity;
      if ((await stateOf(owner)) === 'dead') await rm(join(home, name), { recursive: true, force: true });
    } catch {
      // The profile is being created, or belongs to another user.
    }
  }
}

/** Removes a folder synchronously; false if something still writes to it. */
function discard(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}
