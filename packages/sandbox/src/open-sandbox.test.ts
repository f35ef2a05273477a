import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../test/support/process/leftovers.ts';
import { testSandbox } from '../../../test/support/sandbox/sandbox-under-test.ts';
import { systemClock } from '@errand/base/clock.ts';
import { openSandbox } from './open-sandbox.ts';

let base: string;

beforeEach(() => {
  base = createFolder('open');
  chmodSync(base, 0o755);
});

afterEach(() => removeFolder(base));

/** A substitute for bubblewrap: `body` receives its arguments. */
function writeProgram(body: string): string {
  const program = join(base, 'bwrap');
  writeFileSync(
    program,
    `#!/bin/bash\nif [[ $1 == --help ]]; then echo --disable-userns --size --json-status-fd; exit; fi\n${body}\n`,
  );
  chmodSync(program, 0o755);
  return program;
}

async function findReason(program: string): Promise<string> {
  const availability = await openSandbox({ clock: systemClock, program });
  return availability.sandbox ? 'there is a sandbox' : availability.reason;
}

/**
 * Runs commands without any isolation, but nothing that would have to be killed. The number of processes is not limited, because without
 * isolation those of other tests count.
 */
const isolateNothing = `
shopt -s extglob
while [[ $1 != -- ]]; do shift; done; shift
set -- "\${@//-u +([0-9]) -f/-f}"
if [[ "$*" == *sleep* ]]; then echo up; else (echo "{ \\"child-pid\\": $BASHPID }" >&3; "$@"); fi
echo "{ \\"exit-code\\": $? }" >&3`;

describe.skipIf(process.platform !== 'linux')('a machine has no sandbox', () => {
  it('without bubblewrap, and reports how to install it', async () => {
    expect(await findReason(join(base, 'missing'))).toBe(
      'bubblewrap is not installed; on Debian and Ubuntu: apt-get install bubblewrap',
    );
  });

  it('with a bubblewrap that is too old', async () => {
    const program = join(base, 'bwrap');
    writeFileSync(program, '#!/bin/sh\necho --unshare-user\n', { mode: 0o755 });
    expect(await findReason(program)).toMatch('bubblewrap is too old');
  });

  it('if bubblewrap lacks permissions, and reports its message', async () => {
    expect(await findReason(writeProgram('echo "bwrap: No permissions to create a new namespace" >&2; exit 1'))).toMatch(
      /cannot work here .*No permissions to create a new namespace/,
    );
  });

  it('if commands are not isolated, and reports what is exposed', async () => {
    const reason = await findReason(writeProgram(isolateNothing));
    expect(reason).toMatch('the sandbox does not hold on this machine');
    for (const guard of ['privileges', 'system calls', 'files', 'processes of the machine', 'network'])
      expect(reason).toMatch(guard);
  });
});

describe.skipIf(!testSandbox)('a machine with a sandbox', () => {
  it('loses it if one protection is missing', async () => {
    const without = (option: string, parameters: number) =>
      writeProgram(`
while (($#)); do
  if [[ $1 == ${option} ]]; then shift ${parameters + 1}; else args+=("$1"); shift; fi
  [[ $1 == -- ]] && break
done
exec /usr/bin/bwrap "\${args[@]}" "$@"`);
    const cases: [string, number, string][] = [
      ['--unshare-net', 0, 'the network is out of reach'],
      ['--seccomp', 1, 'system calls are filtered'],
      ['--remount-ro', 1, 'only the workspace and /tmp can be written'],
    ];
    for (const [option, parameters, broken] of cases)
      expect(await findReason(without(option, parameters))).toBe(
        `the sandbox does not hold on this machine, what is broken: ${broken}`,
      );
  });
});
