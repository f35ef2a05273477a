import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { someId, someNumber } from '../support/http/matchers.ts';

const skillText = (name: string, about = 'Does it.') => `---\nname: ${name}\ndescription: ${about}\n---\nDo it.`;

function packageOf(name: string, files: Record<string, string> = {}): string {
  const entries = Object.entries({ 'SKILL.md': skillText(name), ...files });
  const zip = zipSync(Object.fromEntries(entries.map(([path, content]) => [path, strToU8(content)])));
  return `data:application/zip;base64,${Buffer.from(zip).toString('base64')}`;
}

const namesOf = (data: Json[]) => data.map(({ name, owner_type: owner }) => `${owner as string} ${name as string}`);

describeStores('skills', (store) => {
  const message = { content: 'Do it.' };

  it('are listed: built-in ones for everybody, uploaded ones for their owner', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const stranger = await addOwner(store.database);
    const created = await api.call('skill.create', { file_data: packageOf('mine', { 'a/b.txt': 'x' }) });
    expect([created.status, created.body.skill]).toEqual([
      200,
      {
        ...{ id: someId, name: 'mine', description: 'Does it.', owner_type: 'personal' },
        creator_info: { user_id: api.owner.accountId, name: `${api.owner.accountId}@example.com`.toLowerCase() },
        ...{ created_at: someNumber, updated_at: someNumber },
      },
    ]);
    const official = ['data-analysis', 'design-kit', 'document-editing', 'research-report', 'slide-deck', 'website'].map(
      (name) => `official ${name}`,
    );
    expect(namesOf((await api.call('skill.list')).body.data)).toEqual([...official, 'personal mine']);
    expect(namesOf((await api.call('skill.list', {}, { key: stranger.key })).body.data)).toEqual(official);
  });

  it('are replaced by name, with the same id, and deleted with their files', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const stranger = await addOwner(store.database);
    const first = (await api.call('skill.create', { file_data: packageOf('s', { a: '1', b: '2' }) })).body.skill as Json;
    const again = (await api.call('skill.create', { content: skillText('s', 'Better.') })).body.skill as Json;
    expect(again).toMatchObject({ id: first.id, description: 'Better.' });
    expect(await store.query('SELECT path FROM skill_files')).toEqual([]);
    const refused = await api.call('skill.delete', { skill_id: first.id }, { key: stranger.key });
    expect(refused.status).toBe(404);
    expect((await api.call('skill.delete', { skill_id: first.id })).body).toMatchObject({ id: first.id, deleted: true });
    expect((await api.call('skill.delete', { skill_id: first.id })).status).toBe(404);
    const [official] = (await api.call('skill.list')).body.data;
    expect((await api.call('skill.delete', { skill_id: official?.id })).status).toBe(412);
  });

  it('of a project are available to its tasks only', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { id: project_id } = (await api.call('project.create', { name: 'P' })).body.project as Json;
    const { id } = (await api.call('skill.create', { content: skillText('inside'), project_id })).body.skill as Json;
    expect(namesOf((await api.call('skill.list')).body.data)).not.toContain('project inside');
    expect(namesOf((await api.call('skill.list', { project_id })).body.data)).toContain('project inside');
    const create = (more: Json, force_skills: unknown) =>
      api.call('task.create', { message: { ...message, force_skills }, ...more });
    expect((await create({}, [id])).status).toBe(400);
    const task = await create({ project_id }, [id]);
    expect(task.status).toBe(200);
    const send = (task_id: unknown) => api.call('task.sendMessage', { task_id, message: { content: 'x', enable_skills: [id] } });
    expect((await send(task.body.task_id)).status).toBe(200);
    expect((await send(await api.createTask())).status).toBe(400);
  });

  it('of a team are available to its members', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const [mate, stranger] = [await addOwner(store.database), await addOwner(store.database)];
    const content = skillText('ours');
    expect((await api.call('skill.create', { content, team: true })).status).toBe(403);
    const teamId = newId(Date.now());
    for (const { accountId } of [api.owner, mate]) {
      await store.query(
        "INSERT INTO team_members (account_id, team_id, role, joined_at) VALUES (?, ?, 'member', 0)",
        accountId,
        teamId,
      );
    }
    const { id } = (await api.call('skill.create', { content, team: true })).body.skill as Json;
    for (const [{ key }, status] of [
      [api.owner, 200],
      [mate, 200],
      [stranger, 400],
    ] as const) {
      expect(namesOf((await api.call('skill.list', {}, { key })).body.data).includes('team ours')).toBe(status === 200);
      expect((await api.call('task.create', { message: { ...message, enable_skills: [id] } }, { key })).status).toBe(status);
    }
    expect((await api.call('skill.delete', { skill_id: id }, { key: mate.key })).status).toBe(404);
  });

  it('named by a message are stored with the task, each once', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const [a, b] = (await api.call('skill.list')).body.data.map(({ id }) => id);
    await api.createTask('x', { message: { ...message, enable_skills: [a, a], force_skills: [b] } });
    const [row] = await store.query("SELECT body FROM events WHERE type = 'equipped' AND seq = 1");
    expect(JSON.parse(String(row?.body))).toEqual({ skills: [a], forcedSkills: [b] });
  });

  describe('refuse', () => {
    it.each([
      ['skill.create', {}, 400, 'file_data is required'],
      ['skill.create', { content: 'x', file_data: 'y' }, 400, 'content: cannot be combined with file_data'],
      ['skill.create', { file_data: 'UEsDBA==' }, 400, 'file_data: must be a data URI: data:application/zip;base64,…'],
      ['skill.create', { file_data: 'data:application/zip;base64,????' }, 400, 'file_data: is not Base64'],
      [
        'skill.create',
        { content: 'x' },
        400,
        'SKILL.md: must begin with front matter: a line "---", name and description, and a line "---"',
      ],
      ['skill.create', { content: 'x', project_id: 'A'.repeat(22) }, 404, 'project not found'],
      ['skill.delete', { skill_id: 'nonsense' }, 404, 'skill not found'],
      ['skill.list', { project_id: 'A'.repeat(22) }, 404, 'project not found'],
      ['task.create', { message: { ...message, enable_skills: ['nonsense'] } }, 400, 'message.enable_skills: skill not found'],
      ['task.create', { message: { ...message, force_skills: ['A'.repeat(22)] } }, 400, 'message.force_skills: skill not found'],
    ])('%s %j', async (name, input, status, problem) => {
      await using api = await ApiUnderTest.start(store.database);
      const answer = await api.call(name, input);
      expect([answer.status, answer.body.error.message]).toEqual([status, problem]);
    });
  });
});
