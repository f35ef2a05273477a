import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { createTeam } from '../../src/store/accounts/teams.ts';
import { describeStores } from '../support/db/databases.ts';
import { addSession, type TestSession } from '../support/accounts/web-session.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

async function show(api: ApiUnderTest, session: TestSession, taskId: string): Promise<Json> {
  const response = await api.fetch(`/web/task.show?task_id=${taskId}`, {}, { key: null, headers: session.headers });
  const { ok: _ok, request_id: _id, ...body } = (await response.json()) as Json;
  return body;
}

describeStores('task.show', (store) => {
  it('returns the request that creates such a task again to its owner', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const session = await addSession(store.database, api.owner.accountId);
    const [skill] = (await api.call('skill.list')).body.data;
    const project = (await api.call('project.create', { name: 'Reports', instruction: 'Be brief.' })).body.project as Json;
    const [file, voice] = [
      { type: 'file', filename: 'sales.csv', file_data: `data:text/csv;base64,${btoa('a,b')}` },
      { type: 'voice', filename: 'memo.ogg', file_data: `data:audio/ogg;base64,${btoa('OggS')}` },
    ];
    const other = await api.createTask('another');
    const common = {
      project_id: project.id,
      locale: 'de',
      interactive_mode: true,
      share_visibility: 'public',
      agent_profile: 'service-1.6-max',
      title: 'Sales of May',
      structured_output_schema: {
        type: 'object',
        properties: { sum: { type: 'number' } },
        required: ['sum'],
        additionalProperties: false,
      },
    };
    const chosen = { force_skills: [skill?.id], task_references: [other] };
    const content = [{ type: 'text', text: 'Add them up' }, file, voice];
    const { body } = await api.call('task.create', { ...common, message: { content, ...chosen } });
    const shown = await show(api, session, String(body.task_id));
    const files = [file, voice].map((part) => ({ type: part?.type, file_id: '<id of file.upload>', filename: part?.filename }));
    expect(shown).toEqual({
      is_owner: true,
      owner: { email: expect.stringContaining('@') as string, team: null, team_id: null },
      is_queued: true,
      subtasks: [],
      request: { ...common, message: { content: [{ type: 'text', text: 'Add them up' }, ...files], ...chosen } },
    });
    const plain = await api.createTask('say hello');
    const { request } = await show(api, session, plain);
    expect(request).toMatchObject({ message: { content: 'say hello' } });
    const again = await api.call('task.create', request as Json);
    expect((await show(api, session, String(again.body.task_id))).request).toEqual(request);
    expect((await show(api, session, 'agent-default-main_task')).request ?? null).toBeNull();
  });

  it('lists its subtasks with their status, and nobody else’s', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const session = await addSession(store.database, api.owner.accountId);
    const parent = await api.createTask('a large one', { share_visibility: 'team' });
    const children = [await api.createTask('the first part'), await api.createTask('the second part')];
    for (const child of children) await store.query('UPDATE tasks SET parent_id = ? WHERE id = ?', parent, child);
    await (await WorkerHand.take(store.database, children[0] ?? '')).finish('done');
    expect((await show(api, session, parent)).subtasks).toEqual([
      { id: children[0], title: 'the first part', status: 'stopped', stopped_by: 'agent' },
      { id: children[1], title: 'the second part', status: 'running' },
    ]);
    expect((await show(api, session, children[0] ?? '')).subtasks).toEqual([]);
  });

  it("names the owner of a team's task, but not how it was created", async () => {
    await using api = await ApiUnderTest.start(store.database);
    const mate = await addOwner(store.database);
    const now = Date.now();
    const teamId = newId(now);
    await store.database.run(createTeam, { teamId, name: 'Research', ownerId: api.owner.accountId, now, actor: 'operator' });
    const row = "INSERT INTO team_members (account_id, team_id, role, joined_at) VALUES (?, ?, 'member', ?)";
    await store.query(row, mate.accountId, teamId, now);
    const session = await addSession(store.database, mate.accountId);
    const taskId = await api.createTask('Our secret plan', { share_visibility: 'team' });
    const [{ email } = { email: '' }] = await store.query('SELECT email FROM accounts WHERE account_id = ?', api.owner.accountId);
    const owner = { email, team: 'Research', team_id: teamId };
    const expected = { is_owner: false, owner, is_queued: true, subtasks: [], request: null };
    expect(await show(api, session, taskId)).toEqual(expected);
    await WorkerHand.take(store.database, taskId);
    expect(await show(api, session, taskId)).toEqual({ ...expected, is_queued: false });
    await api.call('task.update', { task_id: taskId, share_visibility: 'private' });
    expect(await show(api, session, taskId)).toMatchObject({ error: { code: 'not_found' } });
  });
});
