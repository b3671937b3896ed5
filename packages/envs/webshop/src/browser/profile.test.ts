import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownIdentity } from '@vlgym/core/internal';
import { expect, it } from 'vitest';
import { removeStaleProfiles } from './profile.js';

it('profiles of killed processes do not stay, and those of the living do', async () => {
  const home = await mkdtemp(join(tmpdir(), 'vlgym-profiles-'));
  try {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    const own = await ownIdentity();
    const profile = async (name: string, owner?: string) => {
      await mkdir(join(home, name, 'Default'), { recursive: true });
      if (owner !== undefined) await writeFile(join(home, name, 'vlgym-owner.json'), owner);
    };
    await profile('vlgym-chromium-dead', JSON.stringify({ ...own, pid: child.pid }));
    await profile('vlgym-chromium-alive', JSON.stringify(own));
    await profile('vlgym-chromium-elsewhere', JSON.stringify({ ...own, host: 'elsewhere', pid: child.pid }));
    await profile('vlgym-chromium-new');
    await profile('vlgym-chromium-odd', '{"pid":');
    await profile('another-folder', JSON.stringify({ ...own, pid: child.pid }));

    await removeStaleProfiles(home);
    expect((await readdir(home)).sort()).toEqual([
      'another-folder',
      'vlgym-chromium-alive',
      'vlgym-chromium-elsewhere',
      'vlgym-chromium-new',
      'vlgym-chromium-odd',
    ]);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
