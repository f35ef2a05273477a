import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeFolder } from '../../../../test/support/process/leftovers.ts';
import { testSandbox } from '../../../../test/support/sandbox/sandbox-under-test.ts';
import {
  createTenantFolder,
  findUserObstacle,
  runTenants,
  type ServiceUser,
} from '../../../../test/support/sandbox/tenants-under-test.ts';
import { createWorkspaces } from '../workspace/workspaces.ts';

/** The names in the folder can be read, but nothing else about them. */
const lockHalf = 'mkdir -p z/y && touch z/y/f && chmod 0400 z/y';

const users: ServiceUser[] = ['the current user', 'an ordinary user'];

describe.each(users)('a tenant of a service that runs as %s', (user) => {
  let base: string;

  beforeEach(() => {
    base = createTenantFolder(user);
  });

  afterEach(async () => {
    for (const { accountId, taskId } of await createWorkspaces(base).list())
      await createWorkspaces(base).remove(accountId, taskId);
    removeFolder(base);
  });

  const obstacle = testSandbox ? findUserObstacle(user) : 'this machine has no sandbox';

  it('is not affected by a neighbor with a partly unreadable folder', async (context) => {
    if (obstacle !== null) context.skip(obstacle);
    const [locker, other] = [join(base, 'one', 'task'), join(base, 'two', 'task')];
    const { results, log } = await runTenants(user, [
      [{ root: locker, command: lockHalf }],
      [
        { root: locker, command: 'echo well' },
        { root: other, command: 'echo well' },
      ],
    ]);
    expect(results[0]).toMatchObject([{ end: 'exit' }]);
    expect(results[1]).toMatchObject([
      { end: 'exit', output: 'well\n' },
      { end: 'exit', output: 'well\n' },
    ]);
    expect(log).toBe('');
  });
});
