import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LocalDeployment } from '../support/service/deployment.ts';
import { isEnd, type PublicEvent } from '../support/service/service-client.ts';

const main = 'agent-default-main_task';
const canary = 'canary-4711-of-the-emptied-task';
const migrations = new URL('../../migrations/', import.meta.url);
const tables = readdirSync(migrations).flatMap((name) =>
  [...readFileSync(new URL(name, migrations), 'utf8').matchAll(/CREATE TABLE (\w+)/g)].flatMap(([, table]) => table ?? []),
);

/** Rows of any table that contain the text. */
async function rowsWith(service: LocalDeployment, text: string): Promise<string[]> {
  const rows: string[] = [];
  for (const table of tables) {
    for (const row of await service.query(`SELECT * FROM ${table}`)) {
      if (JSON.stringify(row).includes(text)) rows.push(`${table} ${JSON.stringify(row)}`);
    }
  }
  return rows;
}

/** Files of the data folder that contain the text, except those of the database. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.db(-|$)/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

/** Sends a message to the main task; its new events, to the end of the turn. */
async function say({ client }: LocalDeployment, content: unknown): Promise<PublicEvent[]> {
  const before = (await client.listEvents(main)).at(-1)?.id ?? null;
  const { task_id: taskId } = await client.ask('task.sendMessage', { task_id: main, message: { content } });
  const events: PublicEvent[] = [];
  for await (const event of client.stream(String(taskId), before, AbortSignal.timeout(240_000))) {
    events.push(event);
    if (isEnd(event)) break;
  }
  return events;
}

describe.each(['sqlite', 'postgres'] as const)('an emptied main task (%s)', (kind) => {
  it('keeps its id and settings and nothing else; what it said stands in no row and no file', { timeout: 300_000 }, async () => {
    await using service = await LocalDeployment.start(kind);
    const { client } = service;
    await client.ask('agent.update', { agent_id: 'agent-default', nickname: 'Ada', about: 'Kind' });
    const other = await client.createTask('write other.txt with otherwise-4711');
    await client.follow(other, isEnd);
    const file = { type: 'file', filename: 'a.txt', file_data: `data:text/plain;base64,${btoa(`${canary} in a file`)}` };
    const said = await say(service, [{ type: 'text', text: `write notes/secret.txt with ${canary}` }, file]);
    expect(await rowsWith(service, canary)).not.toEqual([]);
    expect(filesWith(service.dataDir, canary).length).toBeGreaterThan(1);
    const before = (await client.ask('task.detail', { task_id: main })).task as { id: string; title: string };

    const cleared = await client.call('task.clear', { task_id: main }, 'once');
    expect(cleared.body).toMatchObject({ id: before.id, cleared: true });

    expect(await rowsWith(service, canary)).toEqual([]);
    await expect.poll(() => filesWith(service.dataDir, canary), { timeout: 60_000 }).toEqual([]);
    expect(await client.listEvents(main)).toEqual([]);
    expect((await client.ask('task.detail', { task_id: main })).task).toMatchObject({ id: before.id, title: before.title });
    expect(await client.statusOf(main)).toBe('stopped');
    const { agent } = await client.ask('agent.detail', { agent_id: 'agent-default' });
    expect(agent).toMatchObject({ nickname: 'Ada', about: 'Kind', task_id: before.id });
    const named = await rowsWith(service, '"nickname":"Ada"'.replaceAll('"', '\\"'));
    // The record of requests has the one that gave the name; it is not of the task.
    expect(named.filter((row) => !row.startsWith('api_requests '))).toHaveLength(1);
    expect((await client.listEvents(other)).length).toBeGreaterThan(1);
    expect(filesWith(service.dataDir, 'otherwise-4711')).not.toEqual([]);

    const again = await say(service, 'read notes/secret.txt\nwrite notes/new.txt with anew-4711');
    expect(JSON.stringify(again)).not.toContain(canary);
    expect(again.every(({ id }) => id > (said.at(-1)?.id ?? ''))).toBe(true);
    // The same request once more empties nothing again.
    expect((await client.call('task.clear', { task_id: main }, 'once')).status).toBe(200);
    expect(JSON.stringify(await say(service, 'read notes/new.txt'))).toContain('anew-4711');
  });

  it('is not emptied while it runs, and no other kind of task ever is', { timeout: 300_000 }, async () => {
    await using service = await LocalDeployment.start(kind);
    const { client } = service;
    await client.ask('task.sendMessage', { task_id: main, message: { content: 'run sleep 600' } });
    const running = await client.call('task.clear', { task_id: main });
    expect([running.status, running.body.error]).toMatchObject([412, { code: 'failed_precondition' }]);
    expect(await client.listEvents(main)).not.toEqual([]);
    await client.ask('task.stop', { task_id: main });
    expect(await client.ask('task.clear', { task_id: main })).toMatchObject({ cleared: true });
    const other = await client.createTask('hello');
    await client.follow(other, isEnd);
    expect((await client.call('task.clear', { task_id: other })).status).toBe(412);
    expect((await client.listEvents(other)).length).toBeGreaterThan(1);
  });
});
