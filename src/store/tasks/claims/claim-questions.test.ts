import { expect, it } from 'vitest';
import { rowOf } from '../../db/store-operation.ts';
import { claimTasks } from './task-claims.ts';

const args = {
  workerId: 'w1',
  ttlMs: 60_000,
  slots: 64,
  held: [],
  afterAccount: '',
  canTakeQuarantined: true,
  isIdle: true,
};

it('asks the database three times for the task of an account without limits, since each time is a way there and back', () => {
  const account = rowOf({
    account_id: 'a1',
    weight: 1,
    most: null,
    has_limits: null,
    any_person: null,
    has_brands: null,
    has_memories: null,
    has_teams: null,
  });
  const due = rowOf({
    account_id: 'a1',
    id: 't1',
    crashes: 0,
    lease_owner: null,
    api_key_id: null,
    project_id: null,
    external_user_id: null,
    person_limit: null,
    priority: 0,
    wake_at: 1,
  });
  const taken = rowOf({
    account_id: 'a1',
    id: 't1',
    fence: 1,
    interactive: 0,
    profile: 'p',
    locale: 'en',
    crashes: 0,
    last_seq: 2,
    parent_id: null,
    depth: 0,
    external_user_id: null,
    traceparent: null,
    team_id: null,
    has_save: null,
  });
  const script = claimTasks.run(args);
  script.next([]);
  script.next([[account], []]);
  script.next([[due]]);
  const end = script.next([[taken], []]);
  expect(end).toMatchObject({ done: true, value: { tasks: [{ taskId: 't1', fence: 1 }] } });
});
