import type { ServiceProcess } from '../../../test/support/service/supervisor.ts';
import { pause } from '../../process/pause.ts';
import { runOnStore } from '../../process/store-access.ts';
import { createTask } from '../../service/service-calls.ts';
import type { TestBed } from '../../service/test-bed.ts';
import { wordMark } from './copied-tables.ts';
import { fillYear } from './fill.ts';
import { ageFolders, type FolderSize, measureWorkspaces } from './folder-size.ts';
import { openStore } from './open-store.ts';
import { measureTables } from './store-size.ts';

const dayMs = 86_400_000;
const pollMs = 50;

const brief = `Compare the offers of ${wordMark} by price, delivery time, and warranty, and note what is missing in each of them.`;
/** Tasks of two model calls and a tool; one in eight ends with an error. */
const prompts = [
  ...Array.from({ length: 7 }, (_, at) =>
    `write report-${at}-${wordMark}.md with ${brief} `.padEnd(400, 'The offer is complete. '),
  ),
  `write draft-${wordMark}.md with ${brief}\nfail The provider has no credit left`,
];

/** Who signs in for searches. */
export const owner = { email: 'owner@example.com', password: 'a long password of the owner' };

/** A service with the tasks of a year. */
export interface YearStore extends AsyncDisposable {
  service: ServiceProcess;
  databaseUrl: string | undefined;
  /** Of all its tasks, from the oldest on. */
  ids: readonly string[];
  /** Of the workspace of one task, before and after it was packed. */
  folders: { loose: FolderSize; packed: FolderSize };
  /** Bytes of tables without the tasks, and with them. */
  sizes: { before: Map<string, number>; after: Map<string, number> };
}

/** Runs the tasks that are copied later. */
async function runTasks(service: ServiceProcess, databaseUrl: string | undefined): Promise<void> {
  for (const prompt of prompts) await createTask(service, prompt);
  for (;;) {
    const [open] = await runOnStore(
      service,
      databaseUrl,
      "SELECT COUNT(*) AS tasks FROM tasks WHERE task_type = 'standard' AND (status = 'running' OR search_due_at IS NOT NULL)",
    );
    if (Number(open?.['tasks']) === 0) return;
    await pause(pollMs);
  }
}

function divide({ entries, bytes }: FolderSize): FolderSize {
  return { entries: entries / prompts.length, bytes: bytes / prompts.length };
}

/** Packs the workspaces of the tasks, as if a month had passed. The service is down before and after. */
async function packAll(service: ServiceProcess, databaseUrl: string | undefined): Promise<YearStore['folders']> {
  const measure = async () => {
    const [account] = await runOnStore(service, databaseUrl, 'SELECT account_id FROM accounts ORDER BY created_at LIMIT 1');
    const copies = await runOnStore(service, databaseUrl, 'SELECT blob_id FROM workspace_saves');
    const names = new Set(copies.map((row) => String(row['blob_id'])));
    return divide(measureWorkspaces(service.dataDir, String(account?.['account_id']), names));
  };
  const loose = await measure();
  const monthAgo = Date.now() - 30 * dayMs;
  await runOnStore(service, databaseUrl, `UPDATE tasks SET updated_at = ${monthAgo}, last_event_at = ${monthAgo}`);
  ageFolders(service.dataDir, new Date(monthAgo));
  await service.restart({ ERRAND_LOG: 'info', ERRAND_PACK_DAYS: '1' });
  await service.waitForLog(({ msg, packed }) => msg === 'workspaces of quiet tasks were packed' && packed === prompts.length);
  await service.kill('SIGTERM');
  return { loose, packed: await measure() };
}

/** A service that has as many tasks as if they had run over a year; their workspaces are packed. */
export async function openYearStore(bed: TestBed, count: number): Promise<YearStore> {
  const databaseUrl = await bed.createDatabase();
  const env = { ERRAND_BOOTSTRAP_EMAIL: owner.email, ERRAND_BOOTSTRAP_PASSWORD: owner.password };
  const service = await bed.startService({ databaseUrl, isDirect: true, env });
  await runTasks(service, databaseUrl);
  await service.kill('SIGTERM');
  const folders = await packAll(service, databaseUrl);
  await using store = await openStore(service.dataDir, databaseUrl);
  const before = await measureTables(store);
  const ids = await fillYear(store, count, Date.now() - dayMs);
  const sizes = { before, after: await measureTables(store) };
  return { service, databaseUrl, ids, folders, sizes, [Symbol.asyncDispose]: () => service.end() };
}

/** Starts the service and waits until it has done what a start does. */
export async function startSettled({ service }: Pick<YearStore, 'service'>, settleMs: number): Promise<void> {
  await service.restart({ ERRAND_LOG: 'warn', ERRAND_PACK_DAYS: '7' });
  await pause(settleMs);
}
