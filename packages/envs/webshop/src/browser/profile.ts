/** The folder that a Chromium keeps its state in: a new one for each, gone with it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownIdentity, type ProcessIdentity, stateOf } from '@vlgym/core/internal';
import type { Browser } from 'puppeteer-core';

/** No connections on a guess of what comes next: they would be counted as attempts to leave. No flag says this. */
const PREFERENCES = { net: { network_prediction_options: 2 } };

const PROFILE = 'vlgym-chromium-';
/** In each: which process it belongs to. */
const OWNER = 'vlgym-owner.json';

/** Launches with a folder of its own, which ends with the browser or with this process. */
export async function withProfile(launch: (userDataDir: string) => Promise<Browser>): Promise<Browser> {
  await removeStaleProfiles(tmpdir());
  const folder = mkdtempSync(join(tmpdir(), PROFILE));
  writeFileSync(join(folder, OWNER), JSON.stringify(await ownIdentity()));
  mkdirSync(join(folder, 'Default'));
  writeFileSync(join(folder, 'Default', 'Preferences'), JSON.stringify(PREFERENCES));
  try {
    const browser = await launch(folder);
    const exiting = () => discard(folder);
    process.once('exit', exiting);
    browser.process()!.once('exit', () => {
      process.off('exit', exiting);
      // what a killed one has started may write for a moment longer
      if (!discard(folder)) void rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
    });
    return browser;
  } catch (error) {
    discard(folder);
    throw error;
  }
}

/** Removes the folders of browsers whose process was killed before it could. */
export async function removeStaleProfiles(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith(PROFILE)) continue;
    try {
      const owner = JSON.parse(await readFile(join(home, name, OWNER), 'utf8')) as ProcessIdentity;
      if ((await stateOf(owner)) === 'dead') await rm(join(home, name), { recursive: true, force: true });
    } catch {
      // just being made, or somebody else's
    }
  }
}

/** At once; false where somebody writes to it still. */
function discard(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}
