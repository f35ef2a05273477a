import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { noUse, type StorageUse } from '../../rules/files/storage-quota.ts';
import { addBlobReferences, type BlobOwner, releaseBlobs } from '../blobs/blob-references.ts';
import { changeStorageUse } from '../blobs/storage-use.ts';
import { flag, integer, nullable, oneOf, tableCodec, text } from '../db/row-codec.ts';
import { findRow, lockRow, type Script, selectAll, sql, type StoreOperation } from '../db/store-operation.ts';
import type { ProjectKey } from './project-key.ts';

/** `pending`: the script has not run since it was changed. */
export const setupStatuses = ['none', 'pending', 'running', 'ready', 'failed'] as const;
export type SetupStatus = (typeof setupStatuses)[number];

/** The newest run of a project's setup script, for people. */
export interface SetupFacts {
  status: SetupStatus;
  /** The last of what it wrote, or why it failed. */
  output: string;
  startedAtMs: number | null;
  endedAtMs: number | null;
}

const setupRow = tableCodec('project_setups', {
  account_id: text,
  project_id: text,
  script_digest: text,
  status: oneOf<'running' | 'ready' | 'failed'>(),
  run: integer,
  lease_until: nullable(integer),
  blob_id: nullable(text),
  bytes: integer,
  files: integer,
  untrusted: flag,
  output: text,
  started_at: integer,
  ended_at: nullable(integer),
});
const { read: readFacts, columns: factColumns } = setupRow.pick(
  'project_id, script_digest, status, output, started_at, ended_at',
);
const { read: readRun, columns: runColumns } = setupRow.pick('script_digest, status, run, blob_id, untrusted, output');
const scriptRow = tableCodec('projects', { setup_script: text });

function ownerOf(projectId: string): BlobOwner {
  return `setup:${projectId}`;
}

function presentFacts(script: string, row: ReturnType<typeof readFacts> | undefined): SetupFacts {
  const nothing = { output: '', startedAtMs: null, endedAtMs: null };
  if (script === '') return { status: 'none', ...nothing };
  if (row?.scriptDigest !== digestSecret(script)) return { status: 'pending', ...nothing };
  const { status, output, startedAtMs, endedAtMs } = row;
  return { status, output, startedAtMs, endedAtMs };
}

/** Part of reading projects: adds what became of their setup scripts. @param projectId null for all of the account */
export function* addSetups<Found extends { id: string; setupScript: string }>(
  accountId: string,
  projectId: string | null,
  projects: readonly Found[],
): Script<(Found & { setup: SetupFacts })[]> {
  const select = `SELECT ${factColumns} FROM project_setups WHERE account_id = ?`;
  const hasSome = projects.some(({ setupScript }) => setupScript !== '');
  const rows = !hasSome
    ? []
    : yield* projectId === null ? selectAll(select, accountId) : selectAll(`${select} AND project_id = ?`, accountId, projectId);
  const found = new Map(rows.map((row) => [setupRow.project_id(row), readFacts(row)]));
  return projects.map((project) => ({ ...project, setup: presentFacts(project.setupScript, found.get(project.id)) }));
}

/** The script of a project, and its newest run; null where there is none for the script as it is now. */
export interface FoundSetup {
  script: string;
  setup: (ReturnType<typeof readRun> & { status: 'running' | 'ready' | 'failed' }) | null;
}

/** What a task of the project needs to know; null without a script. */
export const findProjectSetup: StoreOperation<ProjectKey, FoundSetup | null> = {
  name: 'projectSetups.find',
  access: 'read',
  *run({ accountId, projectId }) {
    const project = yield* findRow('setup_script', 'projects', { account_id: accountId, id: projectId });
    const script = project ? scriptRow.setup_script(project) : '';
    if (script === '') return null;
    const row = yield* findRow(runColumns, 'project_setups', { account_id: accountId, project_id: projectId });
    const setup = row ? readRun(row) : null;
    return { script, setup: setup?.scriptDigest === digestSecret(script) ? setup : null };
  },
};

export interface ClaimSetupArgs extends ProjectKey {
  /** The script that is to run; nothing is claimed if the project has another one by now. */
  script: string;
  ttlMs: number;
  /** A failed run is repeated after this. */
  retryMs: number;
}

/** Begins a run of the script, unless it has run, or somebody runs it; returns the number of the run, null if none is to begin. */
export const claimProjectSetup: StoreOperation<ClaimSetupArgs, number | null> = {
  name: 'projectSetups.claim',
  access: 'write',
  keys: ({ projectId }) => [projectId],
  *run({ accountId, projectId, script, ttlMs, retryMs }) {
    const project = yield* lockRow('setup_script', 'projects', { account_id: accountId, id: projectId });
    if (!project || scriptRow.setup_script(project) !== script) return null;
    const [row] = yield* selectAll(
      `INSERT INTO project_setups (account_id, project_id, script_digest, status, run, lease_until, bytes, files, untrusted,
         output, started_at)
       VALUES (?, ?, ?, 'running', 1, errand_now() + ?, 0, 0, 0, '', errand_now())
       ON CONFLICT (account_id, project_id) DO UPDATE
       SET script_digest = excluded.script_digest, status = 'running', run = project_setups.run + 1,
         lease_until = excluded.lease_until, output = '', started_at = excluded.started_at, ended_at = NULL
       WHERE project_setups.script_digest <> excluded.script_digest
         OR (project_setups.status = 'running' AND project_setups.lease_until <= errand_now())
         OR (project_setups.status = 'failed' AND project_setups.ended_at <= errand_now() - CAST(? AS BIGINT))
       RETURNING run`,
      accountId,
      projectId,
      digestSecret(script),
      ttlMs,
      retryMs,
    );
    return row ? setupRow.run(row) : null;
  },
};

/** A run that somebody has begun. */
export interface SetupRunKey extends ProjectKey {
  run: number;
}

/** Keeps a run; false if another one has begun. */
export const renewProjectSetup: StoreOperation<SetupRunKey & { ttlMs: number }, boolean> = {
  name: 'projectSetups.renew',
  access: 'write',
  keys: ({ projectId }) => [projectId],
  *run({ accountId, projectId, run, ttlMs }) {
    const rows = yield* selectAll(
      `UPDATE project_setups SET lease_until = errand_now() + ?
       WHERE account_id = ? AND project_id = ? AND run = ? AND status = 'running' RETURNING run`,
      ttlMs,
      accountId,
      projectId,
      run,
    );
    return rows.length > 0;
  },
};

export interface RecordSetupArgs extends SetupRunKey {
  /** The files that it made, as a durable blob, and what they take unpacked; null if it failed. */
  made: { blobId: string; use: StorageUse; untrusted: boolean } | null;
  output: string;
}

/** Ends a run. What it made takes the place of what the run before made, also in the storage of the account. False if another one has begun. */
export const recordProjectSetup: StoreOperation<RecordSetupArgs, boolean> = {
  name: 'projectSetups.record',
  access: 'write',
  keys: ({ projectId }) => [projectId],
  *run({ accountId, projectId, run, made, output }) {
    const key = { account_id: accountId, project_id: projectId };
    const row = yield* lockRow('run, status, bytes, files', 'project_setups', key);
    if (!row || setupRow.run(row) !== run || setupRow.status(row) !== 'running') return false;
    yield releaseBlobs(accountId, ownerOf(projectId));
    if (made && !(yield* addBlobReferences(accountId, [made.blobId], ownerOf(projectId)))) return false;
    const { bytes, files } = made?.use ?? noUse;
    yield [
      sql(
        `UPDATE project_setups SET status = ?, lease_until = NULL, blob_id = ?, bytes = ?, files = ?, untrusted = ?, output = ?,
         ended_at = errand_now() WHERE account_id = ? AND project_id = ?`,
        made ? 'ready' : 'failed',
        made?.blobId ?? null,
        bytes,
        files,
        made?.untrusted === true ? 1 : 0,
        output,
        accountId,
        projectId,
      ),
    ];
    const grown = { bytes: bytes - setupRow.bytes(row), files: files - setupRow.files(row) };
    yield* changeStorageUse(accountId, { workspaces: grown });
    return true;
  },
};
