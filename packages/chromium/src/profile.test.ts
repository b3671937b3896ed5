import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownIdentity } from '@vlgym/core/internal';
import { expect, it } from 'vitest';
import { removeStaleProfiles } from './profile.js';

it('removes profiles of dead processes and keeps those of living ones', async () => {
  const home = await mkdtemp(join(tmpdir(), 'vlgym-profiles-'));
  try {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    const identity = await ownIdentity();
    const profile = async (name: string, owner?: string) => {
      await mkdir(join(home, name, 'Default'), { recursive: true });
      if (owner !== undefined) await writeFile(join(home, name, 'vlgym-owner.json'), owner);
    };
    await profile('vlgym-chromium-dead', JSON.stringify({ ...identity, pid: child.pid }));
    await profile('vlgym-chromium-alive', JSON.stringify(identity));
    await profile('vlgym-chromium-elsewhere', JSON.stringify({ ...identity, host: 'elsewhere', pid: child.pid }));
    await profile('vlgym-chromium-new');
    await profile('vlgym-chromium-odd', '{"pid":');
    await profile('another-folder', JSON.stringify({ ...identity, pid: child.pid }));

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
