import { readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { nextMs, sampleSchedule, sampleTask } from '../../../test/support/db/store-samples.ts';
import { listArtifacts } from '../artifacts/artifact-list.ts';
import { createAccount, findAccount } from '../accounts/accounts.ts';
import { listAgents } from '../agents/agents.ts';
import { findKeyOwner, listApiKeys } from '../accounts/api-keys.ts';
import { claimTasks, findStarvedAccount } from '../tasks/claims/task-claims.ts';
import { readConversations } from '../events/conversations.ts';
import { readLastSeqs, readLog, readShown } from '../events/events.ts';
import { readShownPage } from '../events/shown-page.ts';
import { readFoldedState, saveFoldedState } from '../events/folded-states.ts';
import { createFile, deleteFile, expireFiles, getFile, prepareUpload } from '../files/files.ts';
import { expectBlob, isBlobNeeded, takeUnneededBlobs } from '../blobs/blob-references.ts';
import { deleteOrphanedUse, findNextAccount } from '../blobs/storage-drift.ts';
import { findBrand } from '../brands/brands.ts';
import { deleteExpiredKeys, findRemembered } from './idempotency-keys.ts';
import { expireLeasesOf, listLeaseOwners } from '../tasks/workers/ended-workers.ts';
import { listWorkers } from '../tasks/workers/workers.ts';
import { expireAllLeases, failLease, leaveLeases, releaseLeases } from '../tasks/lease-ends.ts';
import { appendEvents, readLease, renewLeases } from '../tasks/task-leases.ts';
import { openRowJob } from '../tasks/mapped-rows.ts';
import { findMissingTasks } from '../tasks/missing-tasks.ts';
import {
  listPackedWorkspaces,
  listQuietTasks,
  recordPackedWorkspace,
  recordUnpackedWorkspace,
} from '../tasks/packed-workspaces.ts';
import { findClearedWorkspaces, listIdleWorkspaces } from '../tasks/workspace-saves.ts';
import { listDecidedItems, listOpenItems } from '../inbox/inbox-items.ts';
import { listMemory, listMemoryVersions, loadMemory, readMemory } from '../memory/memory-reads.ts';
import { restoreMemory, writeMemory } from '../memory/memory-writes.ts';
import { listProjects } from '../projects/projects.ts';
import { createListCursor, deleteExpiredListCursors, turnPage } from '../artifacts/artifact-list-cursors.ts';
import { findPublicTask, findSharedTask } from '../tasks/shared-tasks.ts';
import { findArchived } from '../artifacts/archived-artifacts.ts';
import { findTasks } from '../search/find-tasks.ts';
import { readIndexedTask } from '../search/search-queue.ts';
import { claimDueCovers } from '../artifacts/artifact-covers.ts';
import { storeCheckpoint } from '../websites/website-checkpoints.ts';
import { claimDueSites, findPublicSite, findSignedSite } from '../websites/published-websites.ts';
import { getReadableWebsite, getWebsite, listCheckpoints, publishWebsite } from '../websites/websites.ts';
import { claimRuns } from '../schedules/due-schedules.ts';
import { listRuns } from '../schedules/run-history.ts';
import { createSchedule, listSchedules } from '../schedules/schedules.ts';
import { listTasks } from '../tasks/task-list.ts';
import { updateTask } from '../tasks/task-update.ts';
import { changeCredits, findUnsettled, readBalance, settleCredits } from '../credits/credit-balances.ts';
import { createTask, deleteTask, getReadableTask, getTask, messageTask, stopTask } from '../tasks/tasks.ts';
import { listRatings } from '../events/ratings.ts';
import { findWorkKey, listAssignedTasks } from '../tasks/people/assignees.ts';
import { listComments } from '../tasks/people/comments.ts';
import { findUnfolded, foldCalls } from '../credits/model-usage.ts';
import { readUsageBreakdown } from '../credits/usage-breakdown.ts';
import { readMemberUsage, readTeamDays } from '../credits/team-usage.ts';
import { listUsage } from '../credits/usage-ledger.ts';
import { usualCreditPlans } from '../../rules/credits/credit-balance.ts';
import { claimTraces, hasDueTraces } from '../tracing/trace-queue.ts';
import { listAccountQueues } from '../instance/account-queues.ts';
import { listModelOutages } from '../instance/model-outages.ts';
import { listFailedDeliveries } from '../webhooks/failed-deliveries.ts';
import { deleteExpiredTriggerKeys } from '../triggers/fire-trigger.ts';
import { listTriggerEvents } from '../triggers/trigger-events.ts';
import { findTrigger, listTriggers } from '../triggers/triggers.ts';
import { listRecipes } from '../recipes/recipes.ts';
import { migrationToSqlite, toSqlite } from './dialect.ts';
import type { StoreOperation, Row, Script } from './store-operation.ts';

const folder = new URL('../../../migrations/', import.meta.url);
const database = new DatabaseSync(':memory:');
const big =
  /\b(tasks|task_metadata|events|agents|projects|idempotency_keys|mapped_rows|files|blobs|blob_refs|brands|artifacts|traversals|usage_records|usage_calls|usage_days|memory_stores|memory_files|memory_versions|websites|website_versions|schedules|schedule_runs|w|v|t|e|r|a|u|m|o)\b/;

/** Runs an operation and returns the plan of each of its statements. */
function explain<Args, Result>(operation: StoreOperation<Args, Result>, args: Args): string[] {
  const plans: string[] = [];
  const script: Script<Result> = operation.run(args);
  for (let step = script.next([]); !step.done; ) {
    const answers = step.value.map(({ sql, params }) => {
      const text = toSqlite(sql);
      const rows = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...params) as { detail: string }[];
      plans.push(...rows.map(({ detail }) => detail));
      return database.prepare(text).all(...params) as unknown as Row[];
    });
    step = script.next(answers);
  }
  return plans;
}

const task = { accountId: 'a3', taskId: 't' };
const message = { type: 'user_message', text: 'x', kind: 'text' } as const;
const claim = { workerId: 'w', ttlMs: 1, slots: 64, held: [], afterAccount: '', canTakeQuarantined: true, isIdle: true };
const page = { accountId: 'a3', afterId: null, taskType: null, apiKeyId: null, oauthClientId: null, limit: 20 } as const;
const shown = { ...task, fromSeq: null, limit: 50 } as const;
const teamRange = { plan: 'team', fromMs: 1, untilMs: nextMs() } as const;
const settle = { accountId: 'a3', plans: usualCreditPlans };
const lease = { ...task, fence: 2 };
const file = { accountId: 'a3', fileId: 'file-1' };

beforeAll(() => {
  for (const name of readdirSync(folder).toSorted())
    database.exec(migrationToSqlite(readFileSync(new URL(name, folder), 'utf8')));
  database.function('errand_now', () => Number.MAX_SAFE_INTEGER);
  database.function('few_searched', (_query) => null);
  for (let count = 0; count < 200; count += 1) explain(createTask, sampleTask(`a${count % 10}`, { apiKeyId: 'k1' }));
  explain(createTask, sampleTask('a3', { taskId: 't', oauthClientId: 'c1' }));
  explain(expectBlob, { accountId: 'a3', blobId: 'b1', graceMs: -1e12 });
  explain(createFile, { ...file, filename: 'a', contentType: 'b', oauthClientId: null, now: 1 });
  const origin = { apiKeyId: null, oauthClientId: null, now: 1 };
  explain(createSchedule, { accountId: 'a3', scheduleId: 's1', settings: sampleSchedule(), ...origin });
  database.exec("INSERT INTO teams VALUES ('team', 'Team', 1)");
  database.exec("INSERT INTO team_members VALUES ('a1', 'team', 'member', 1), ('a3', 'team', 'owner', 1)");
  database.exec("UPDATE tasks SET share_visibility = 'team' WHERE id = 't'");
  database.exec(
    `INSERT INTO websites VALUES ('a3', 'shown', 't', 's', 'x', 'team', 'unpublished', NULL, NULL, NULL, 1, 1, NULL)`,
  );
  for (const accountId of ['a1', 'a3'])
    explain(createAccount, { accountId, email: accountId, plan: 'pro', locale: 'en', createdAtMs: 1 });
  for (let count = 0; count < 50; count += 1)
    explain(changeCredits, { accountId: `a${count % 10}`, recordId: `r${count}`, credits: 1, kind: 'addon', title: 'x', now: 1 });
  for (const site of ['w', 'x', 'y'])
    for (const { sql, params } of storeCheckpoint(
      { accountId: 'a3', taskId: 't' },
      { ...checkpoint, websiteId: site, space: site },
      1,
    ))
      database.prepare(toSqlite(sql)).run(...params);
  explain(writeMemory, { ...memoryFile, ...memoryAuthor, content: 'x', ifVersion: null, untrusted: null });
  database.exec("UPDATE tasks SET crashes = 2 WHERE account_id = 'a5'");
});

const filter = { accountId: 'a3', type: null, taskId: null, oauthClientId: null, apiKeyId: null, name: null, isFavorite: false };
const memory = { accountId: 'a3', scope: 'account', scopeId: '' } as const;
const memoryFile = { ...memory, path: 'a/b' };
const memoryAuthor = { author: 'operator', now: 1 };
const begun = { accountId: 'a3', listCursorId: 'x', query: 'q', now: 1, page: { items: [], position: 'x' } };

const checkpoint = {
  websiteId: 'w',
  folder: 'site/',
  space: 's',
  title: 'Site',
  platform: 'website',
  versionId: 'v1',
  message: 'First',
  blobId: 'b',
  indexAt: 1,
  bytes: 2,
} as const;

const cases: [name: string, run: () => string[]][] = [
  ['getTask', () => explain(getTask, task)],
  ['findTrigger', () => explain(findTrigger, { type: 'http', tokenDigest: 'd' })],
  ['listRecipes', () => explain(listRecipes, { accountId: 'a1', beforeId: null, limit: 20 })],
  ['listTriggers', () => explain(listTriggers, { accountId: 'a1', beforeId: 'x', limit: 9 })],
  ['listTriggerEvents', () => explain(listTriggerEvents, { accountId: 'a1', triggerId: 't', beforeId: 'x', limit: 9 })],
  ['deleteExpiredTriggerKeys', () => explain(deleteExpiredTriggerKeys, { now: 1, limit: 9 })],
  ['listTasks, newest first', () => explain(listTasks, { ...page, order: 'desc', afterId: 'x' })],
  ['listTasks of an application', () => explain(listTasks, { ...page, order: 'desc', oauthClientId: 'c1' })],
  ['getTask of an application', () => explain(getTask, { ...task, onlyClientId: 'c1' })],
  ['readShown of an application', () => explain(readShown, { ...shown, onlyClientId: 'c1', order: 'desc', isVerbose: false })],
  ['listTasks of a key', () => explain(listTasks, { ...page, order: 'asc', apiKeyId: 'k1' })],
  ['listTasks of a project', () => explain(listTasks, { ...page, order: 'desc', projectId: 'p1' })],
  ['listTasks of two statuses', () => explain(listTasks, { ...page, order: 'desc', statuses: ['running', 'stopped'] })],
  ['listTasks of an external user', () => explain(listTasks, { ...page, order: 'desc', externalUserId: 'u' })],
  ['listTasks of a schedule', () => explain(listTasks, { ...page, order: 'desc', scheduleId: 's1' })],
  ['listSchedules', () => explain(listSchedules, { accountId: 'a3', beforeId: null, limit: 20 })],
  ['listRuns', () => explain(listRuns, { accountId: 'a3', scheduleId: 's1', beforeMs: null, limit: 20 })],
  ['claimRuns', () => explain(claimRuns, { slots: 8, leaseMs: 1, workerId: 'w' })],
  ['listTasks by metadata', () => explain(listTasks, { ...page, order: 'desc', metadata: { a: 'x', b: 'y' } })],
  ['listTasks of an agent', () => explain(listTasks, { ...page, order: 'desc', agentId: 'g1' })],
  ['listAgents', () => explain(listAgents, 'a3')],
  ['listProjects', () => explain(listProjects, 'a3')],
  ['listOpenItems', () => explain(listOpenItems, { accountId: 'a3', type: null, beforeTaskId: null, limit: 20 })],
  [
    'listDecidedItems',
    () => explain(listDecidedItems, { accountId: 'a3', type: null, beforeTaskId: 'x', beforeSeq: 1, limit: 20 }),
  ],
  ['listMemory', () => explain(listMemory, { ...memory, afterPath: 'a', limit: 100 })],
  ['readMemory', () => explain(readMemory, { ...memoryFile, version: null })],
  ['readMemory, a former version', () => explain(readMemory, { ...memoryFile, version: 1 })],
  ['listMemoryVersions', () => explain(listMemoryVersions, { ...memoryFile, beforeVersion: null, limit: 20 })],
  [
    'loadMemory',
    () =>
      explain(loadMemory, {
        accountId: 'a3',
        known: [
          { scope: 'account', scopeId: '', revision: 0 },
          { scope: 'agent', scopeId: 'g', revision: 0 },
        ],
      }),
  ],
  ['writeMemory', () => explain(writeMemory, { ...memoryFile, ...memoryAuthor, content: 'y', ifVersion: null, untrusted: null })],
  ['restoreMemory', () => explain(restoreMemory, { ...memory, ...memoryAuthor, atMs: 1 })],
  ['readFoldedState', () => explain(readFoldedState, { ...task, version: 1 })],
  ['openRowJob', () => explain(openRowJob, { ...task, fence: 0, job: 'j', callId: 'c' })],
  ['saveFoldedState', () => explain(saveFoldedState, { ...task, fence: 1, version: 1, seq: 1, body: '{}' })],
  ['readLog', () => explain(readLog, { ...task, afterSeq: 1, limit: 500 })],
  ['readShown', () => explain(readShown, { ...shown, order: 'desc', isVerbose: false })],
  ['readShownPage', () => explain(readShownPage, { ...shown, order: 'desc', isVerbose: false, maxBytes: 1 })],
  [
    'readConversations',
    () => explain(readConversations, { accountId: 'a', taskIds: ['t'], limit: 50, maxBytesEach: 1, maxBytes: 1 }),
  ],
  ['readShown, verbose', () => explain(readShown, { ...shown, order: 'asc', isVerbose: true })],
  ['readLastSeqs', () => explain(readLastSeqs, [task, task])],
  ['readLease', () => explain(readLease, task)],
  ['findKeyOwner', () => explain(findKeyOwner, 'd')],
  ['listApiKeys', () => explain(listApiKeys, 'a3')],
  ['findAccount', () => explain(findAccount, 'a3')],
  ['claimTasks', () => explain(claimTasks, claim)],
  ['claimTasks of a worker that exports traces', () => explain(claimTasks, { ...claim, isTraced: true })],
  ['hasDueTraces', () => explain(hasDueTraces, null)],
  ['claimTraces', () => explain(claimTraces, { leaseMs: 1, limit: 16 })],
  ['findStarvedAccount', () => explain(findStarvedAccount, { heldAccounts: [] })],
  ['renewLeases', () => explain(renewLeases, { workerId: 'w', ttlMs: 1, leases: [lease, lease, lease] })],
  ['releaseLeases', () => explain(releaseLeases, { workerId: 'w', leases: [lease] })],
  ['listLeaseOwners', () => explain(listLeaseOwners, null)],
  ['listWorkers', () => explain(listWorkers, null)],
  ['listAccountQueues', () => explain(listAccountQueues, { after: { dueAtMs: 1, accountId: 'a' }, limit: 20 })],
  ['listModelOutages', () => explain(listModelOutages, null)],
  ['expireLeasesOf', () => explain(expireLeasesOf, ['w1', 'w2'])],
  ['expireAllLeases', () => explain(expireAllLeases, { bootId: 'b' })],
  ['leaveLeases', () => explain(leaveLeases, { workerId: 'w', leases: [lease] })],
  ['failLease', () => explain(failLease, { ...lease, pauseMs: 1 })],
  [
    'appendEvents',
    () => explain(appendEvents, { ...lease, now: 1, events: [{ type: 'stopped', by: 'agent' }], expectSeq: null }),
  ],
  ['messageTask', () => explain(messageTask, { ...task, now: nextMs(), message, profile: null })],
  ['stopTask', () => explain(stopTask, { ...task, now: nextMs() })],
  ['updateTask', () => explain(updateTask, { ...task, now: nextMs(), title: 'x', isHidden: null, share: null })],
  ['listArtifacts', () => explain(listArtifacts, { filter, limit: 20 })],
  ['listArtifacts of a category', () => explain(listArtifacts, { filter: { ...filter, type: 'images' }, limit: 20 })],
  ['listArtifacts of a task', () => explain(listArtifacts, { filter: { ...filter, taskId: 't', name: 'x' }, limit: 20 })],
  ['listArtifacts of a key', () => explain(listArtifacts, { filter: { ...filter, apiKeyId: 'k1', type: 'images' }, limit: 20 })],
  ['listArtifacts of an app', () => explain(listArtifacts, { filter: { ...filter, oauthClientId: 'c1' }, limit: 20 })],
  ['listArtifacts by name', () => explain(listArtifacts, { filter: { ...filter, name: 'x' }, limit: 20 })],
  ['beginTraversal', () => explain(createListCursor, begun)],
  ['turnPage', () => explain(turnPage, { filter, limit: 20, listCursorId: 'x', query: 'q', number: 2, now: 2 })],
  ['forgetTraversals', () => explain(deleteExpiredListCursors, { now: 3, limit: 5 })],
  ['getReadableTask of a team', () => explain(getReadableTask, { accountId: 'a1', taskId: 't' })],
  ['findSharedTask', () => explain(findSharedTask, { shareId: 's', readerId: 'a1' })],
  ['getWebsite of a task', () => explain(getWebsite, { accountId: 'a3', websiteId: null, taskId: 't' })],
  ['getReadableWebsite of a team', () => explain(getReadableWebsite, { accountId: 'a1', websiteId: 'shown', taskId: null })],
  [
    'getReadableWebsite of a task of a team',
    () => explain(getReadableWebsite, { accountId: 'a1', websiteId: null, taskId: 't' }),
  ],
  ['listCheckpoints', () => explain(listCheckpoints, { accountId: 'a3', websiteId: 'w', taskId: null })],
  ['publishWebsite', () => explain(publishWebsite, { accountId: 'a3', websiteId: 'w', visibility: 'public', now: 5 })],
  ['findPublicSite', () => explain(findPublicSite, { space: 's' })],
  ['findSignedSite', () => explain(findSignedSite, { accountId: 'a3', websiteId: 'w', visibility: 'private' })],
  ['claimDueSites', () => explain(claimDueSites, { limit: 4 })],
  ['claimDueCovers', () => explain(claimDueCovers, { limit: 4 })],
  ['listQuietTasks', () => explain(listQuietTasks, { tasks: [task, task, task], quietMs: 1 })],
  [
    'recordPackedWorkspace',
    () => {
      explain(expectBlob, { accountId: 'a3', blobId: 'b2', graceMs: 1 });
      return explain(recordPackedWorkspace, { ...task, fence: 1, generation: 0, blobId: 'b2', bytes: 1, next: 1, now: 1 });
    },
  ],
  ['recordUnpackedWorkspace', () => explain(recordUnpackedWorkspace, { ...task, generation: 1, keepsCopy: false })],
  ['listPackedWorkspaces', () => explain(listPackedWorkspaces, { after: { accountId: 'a3', taskId: 'x' }, limit: 20 })],
  ['listIdleWorkspaces', () => explain(listIdleWorkspaces, [task, task, task])],
  ['findMissingTasks', () => explain(findMissingTasks, [task, task, task])],
  ['listUsage', () => explain(listUsage, { accountId: 'a3', beforeId: 'x', limit: 20 })],
  ['readMemberUsage', () => explain(readMemberUsage, { ...teamRange, accountId: 'a3' })],
  [
    'readUsageBreakdown',
    () => explain(readUsageBreakdown, { ...teamRange, accountId: 'a3', by: 'model', model: null, projectId: 'p', userId: null }),
  ],
  ['foldCalls', () => explain(foldCalls, { accountId: 'a3' })],
  [
    'listRatings',
    () => explain(listRatings, { key: { accountId: 'a3' }, taskId: null, rating: 'down', beforeId: 'x', limit: 20 }),
  ],
  ['listComments', () => explain(listComments, { ...task, beforeId: 'x', limit: 20 })],
  ['findWorkKey', () => explain(findWorkKey, task)],
  ['listAssignedTasks', () => explain(listAssignedTasks, { accountId: 'a3', beforeId: 'x', limit: 20 })],
  ['findUnfolded', () => explain(findUnfolded, { afterAccount: '', limit: 20 })],
  ['readTeamDays', () => explain(readTeamDays, { ...teamRange, accountId: 'a3' })],
  ['readBalance', () => explain(readBalance, { ...settle, now: nextMs() })],
  ['settleCredits', () => explain(settleCredits, { ...settle, now: nextMs() })],
  ['findUnsettled', () => explain(findUnsettled, { afterAccount: '', limit: 20 })],
  [
    'findRemembered',
    () => explain(findRemembered, { accountId: 'a1', key: 'k', operation: 'o', bodyDigest: 'd', now: nextMs() }),
  ],
  ['forgetKeys', () => explain(deleteExpiredKeys, { now: nextMs(), limit: 256 })],
  ['findClearedWorkspaces', () => explain(findClearedWorkspaces, [task, task, task])],
  ['deleteTask', () => explain(deleteTask, task)],
  ['getFile', () => explain(getFile, file)],
  ['prepareUpload', () => explain(prepareUpload, { ...file, now: 1 })],
  ['deleteFile', () => explain(deleteFile, { ...file, now: 1 })],
  ['expireFiles', () => explain(expireFiles, { now: 9e15, limit: 64 })],
  ['findBrand', () => explain(findBrand, { accountId: 'a3', projectId: 'p' })],
  ['isBlobNeeded', () => explain(isBlobNeeded, { accountId: 'a3', blobId: 'b1' })],
  ['deleteOrphanedUse', () => explain(deleteOrphanedUse, { accountId: 'a3', after: '', limit: 20 })],
  ['findNextAccount', () => explain(findNextAccount, { after: 'a3' })],
  ['takeUnneededBlobs', () => explain(takeUnneededBlobs, { limit: 64 })],
];

describe('no statement reads a whole table', () => {
  it.each(cases)('%s', (_, run) => {
    const plans = run();
    expect(plans.length).toBeGreaterThan(0);
    for (const plan of plans) {
      // The indexes over due and quarantined tasks contain active tasks only, so scanning one is not scanning the table.
      if (/^SCAN \w+ USING (COVERING )?INDEX (tasks_due|tasks_suspect)\b/.test(plan)) continue;
      expect(plan).not.toMatch(new RegExp(`^SCAN ${big.source}`));
    }
  });
});

describe('a claim', () => {
  it('reads ranges of the queue, in their order, however many tasks an account has had', () => {
    database.exec("INSERT INTO running_limits VALUES ('a3', 'account', 'a3', 100), ('a3', 'key', 'k1', 1)");
    const plans = explain(claimTasks, claim);
    database.exec('DELETE FROM running_limits');
    expect(plans).toContain('SEARCH tasks USING INDEX tasks_due (account_id=?)');
    expect(plans).toContain('SEARCH tasks USING INDEX tasks_due (account_id=? AND priority=? AND wake_at>?)');
  });
});

describe('a claim in an account whose product has people', () => {
  it('finds the first task of each and the first for nobody in indexes, in their order', () => {
    for (let count = 0; count < 80; count += 1)
      explain(createTask, sampleTask('b1', { externalUserId: count % 2 === 0 ? 'ann' : null }));
    const plans = explain(claimTasks, claim);
    const last = plans.lastIndexOf('SEARCH tasks USING INDEX tasks_due_for_nobody (account_id=?)');
    expect(last).toBeGreaterThan(0);
    // The logs of the claimed tasks, which are sorted, are read after it.
    expect(plans.slice(0, last + 2).join()).not.toContain('TEMP B-TREE');
  });
});

describe('the deletion of a task', () => {
  it('reads nothing of other tasks of its account', () => {
    const row = sampleTask('b2');
    explain(createTask, row);
    const plans = explain(deleteTask, { accountId: 'b2', taskId: row.taskId });
    const tables = ['tasks', 'events', 'artifacts', 'deliveries', 'searched_tasks', 'workspace_saves', 'blob_refs'];
    for (const table of tables) {
      expect(
        plans.some((plan) => plan.startsWith(`SEARCH ${table} USING`)),
        table,
      ).toBe(true);
      expect(plans.filter((plan) => plan.startsWith(`SEARCH ${table} USING`) && plan.endsWith('(account_id=?)'))).toEqual([]);
    }
  });
});

describe('what a task has delivered', () => {
  it('is found without reading what other tasks of its account have', () => {
    const plans = [
      ...explain(readIndexedTask, { ...task, files: 10 }),
      ...explain(findArchived, { ...task, artifactIds: [], onlyClientId: null }),
      ...explain(findPublicTask, { shareId: 's' }),
    ];
    expect(plans.filter((plan) => / artifacts_by_task \(account_id=\? AND task_id=\?\)/.test(plan))).toHaveLength(3);
    expect(plans.filter((plan) => plan.includes('PRIMARY KEY (account_id=?)'))).toEqual([]);
  });
});

describe('a search', () => {
  it('begins with the newest tasks of its account, in their order', () => {
    const query = { words: ['red'], beginning: 'hou' };
    for (const afterId of [null, 't']) {
      const plans = explain(findTasks, { accountId: 'a3', query, afterId, statuses: null, projectId: null, limit: 20 });
      const newest = plans.findIndex((plan) => plan.includes('searched_tasks_by_account'));
      const asked = plans.findIndex((plan) => plan.includes('VIRTUAL TABLE'));
      expect(newest).toBeGreaterThanOrEqual(0);
      expect(asked).toBeGreaterThan(newest);
      expect(plans.join()).not.toContain('TEMP B-TREE');
    }
  });
});

describe('a page costs the same at any position', () => {
  it('because it is a range of an index in the order asked for', () => {
    const pages = [
      explain(readShown, { ...shown, order: 'desc', isVerbose: false }),
      explain(readShown, { ...shown, order: 'asc', isVerbose: true }),
      explain(readLog, { ...task, afterSeq: 7, limit: 9 }),
      explain(listTasks, { ...page, order: 'desc', afterId: 'x' }),
      explain(listTasks, { ...page, order: 'asc', afterId: 'x', apiKeyId: 'k1' }),
      explain(listTasks, { ...page, order: 'desc', afterId: 'x', oauthClientId: 'c1' }),
      explain(listTasks, { ...page, order: 'desc', afterId: 'x', statuses: ['waiting', 'stopped'] }),
      explain(listTasks, { ...page, order: 'asc', afterId: 'x', metadata: { a: 'x', b: 'y' } }),
      explain(listTasks, { ...page, order: 'desc', afterId: 'x', externalUserId: 'u', oauthClientId: 'c1' }),
      explain(listFailedDeliveries, { beforeId: 'x', limit: 9 }),
      explain(listRatings, { key: { accountId: 'a3' }, taskId: null, rating: 'down', beforeId: 'x', limit: 20 }),
      explain(listRatings, { key: { accountId: 'a3', onlyUserId: 'u' }, taskId: null, rating: null, beforeId: 'x', limit: 20 }),
    ].map((plans) => plans.join());
    for (const plan of pages) expect(plan).not.toContain('TEMP B-TREE');
    for (const [index, name] of [
      [null, 'x'],
      ['type', 'images'],
      ['taskId', 't'],
      ['apiKeyId', 'k'],
      ['oauthClientId', 'c'],
    ] as const) {
      const plans = explain(listArtifacts, { filter: { ...filter, ...(index && { [index]: name }) }, limit: 9 });
      expect(plans.join()).not.toContain('TEMP B-TREE');
    }
    expect(pages[0]).toContain('events_shown (account_id=? AND task_id=? AND seq<?)');
    expect(pages[4]).toContain('tasks_by_key (account_id=? AND api_key_id=? AND id>?)');
    expect(pages[5]).toContain('tasks_by_client (account_id=? AND oauth_client_id=? AND id<?)');
    expect(pages[9]).toContain('deliveries_failed (id<?)');
    expect(pages[10]).toContain('ratings_by_rating (account_id=? AND rating=? AND id<?)');
    expect(pages[11]).toContain('ratings_by_person (account_id=? AND external_user_id=? AND id<?)');
    expect(pages[8]).toContain('tasks_by_external_user (account_id=? AND external_user_id=? AND id<?)');
  });
});
