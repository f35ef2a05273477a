import { execFile, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settings } from '../../src/config/settings.ts';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** Root builds these surroundings; they need a machine that lets it mount, and Debian's tools. */
const canInstall =
  process.getuid?.() === 0 &&
  ['unshare --mount true', 'dpkg-deb --version', 'systemd-analyze --version', 'adduser --version'].every((command) => {
    const [program = '', ...args] = command.split(' ');
    return spawnSync(program, args).status === 0;
  });

/** Runs a script in a copy of this machine's root that is thrown away; what it writes is memory. */
const throwAway = (script: string) => `set -e
mount --make-rprivate /
mount -t tmpfs -o size=4g tmpfs /mnt
mkdir /mnt/changes /mnt/work /mnt/root
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/changes,workdir=/mnt/work /mnt/root
cp "$1" /mnt/root/errand.deb
mount --rbind /dev /mnt/root/dev
mount -t proc proc /mnt/root/proc
mkdir /mnt/root/.before
cd /mnt/root
pivot_root . .before
umount -l /.before
cd /
${script}`;

/** As the units run it: their user, their folders, no capabilities, no way to gain privileges. */
const asService = `setpriv --reuid errand --regid errand --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \\
  env -i PATH=/usr/bin:/bin HOME=/var/lib/errand ERRAND_DATA_DIR=/var/lib/errand NODE_COMPILE_CACHE=/var/cache/errand \\
  ERRAND_MODEL=offline/offline-1`;

describe.runIf(canInstall)('the Debian package', () => {
  const folder = createFolder('debian');
  let file = '';
  beforeAll(async () => {
    await run(process.execPath, ['scripts/release/build-debian.mjs', folder, 'none'], { cwd: checkout });
    file = join(folder, readdirSync(folder)[0] ?? '');
  });
  afterAll(() => removeFolder(folder));

  const runInCopy = async (script: string): Promise<string> => {
    const args = ['--mount', 'bash', '-c', throwAway(script), 'bash', file];
    return (await run('unshare', args, { maxBuffer: 16_000_000, env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } })).stdout;
  };

  it('installs units, settings, and a user, runs a command in its sandbox as that user, and is gone when purged', async () => {
    const output = await runInCopy(`
dpkg --install /errand.deb
stat -c 'settings %a %U:%G' /etc/errand/errand.env
install -d -o errand -g errand -m 700 /var/lib/errand /var/cache/errand
umask 077
${asService} errand run 'run node --version' 2>/dev/null
${asService} errand doctor
echo "ERRAND_LOG=warn" >> /etc/errand/errand.env
dpkg --install /errand.deb
tail -n 1 /etc/errand/errand.env
dpkg --purge errand
ls -d /usr/lib/errand /usr/bin/errand /etc/errand /var/lib/errand || true`);
    expect(output).toContain('settings 640 root:errand');
    expect(output).toMatch(/^ok +node +24\./m);
    expect(output).toMatch(/^ok +sandbox /m);
    // Its own Node, inside the sandbox.
    expect(output).toMatch(/v24\.\d+\.\d+/);
    expect(output).toContain('\nERRAND_LOG=warn\n');
    expect(output.trim().split('\n').at(-1)).toBe('/var/lib/errand');
  });

  it('has units that systemd accepts, and settings that the service knows', async () => {
    const output = await runInCopy(`
dpkg --install /errand.deb >/dev/null
systemd-analyze verify errand.service errand-api.service errand-worker@1.service 2>&1
echo verified
grep -ho 'ERRAND_[A-Z0-9_]*' /etc/errand/errand.env /lib/systemd/system/errand*.d/*.conf | sort -u`);
    const [verdict, ...names] = output.trim().split('\n');
    expect(verdict).toBe('verified');
    expect(names.filter((name) => !Object.hasOwn(settings, name))).toEqual([]);
    expect(names).toContain('ERRAND_DATA_DIR');
  });
});
