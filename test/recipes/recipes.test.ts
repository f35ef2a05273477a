import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { newId } from '@errand/base/ids.ts';
import { listRecipes, updateRecipe } from '../../src/store/recipes/recipes.ts';
import { acceptInvitation, inviteMember, removeMember } from '../../src/store/accounts/team-membership.ts';
import { createTeam } from '../../src/store/accounts/teams.ts';
import { addOwner, ApiUnderTest, type Json, type Owner } from '../support/http/api-under-test.ts';

interface Shown extends Json {
  id: string;
  name: string;
}

const fields = [
  { name: 'topic', type: 'text', required: true },
  { name: 'tone', type: 'choice', choices: ['kind', 'plain'] },
];

describeStores('a recipe', (store) => {
  let api: ApiUnderTest;
  beforeEach(async () => {
    api = await ApiUnderTest.start(store.database);
  });
  afterEach(() => api.stop());

  const plain = { name: 'Poems', message_template: 'A {{tone}} poem about {{topic}}', fields };
  const create = async (input: Json = {}): Promise<Shown> => {
    const { body } = await api.call('recipe.create', { ...plain, ...input });
    expect(body.error).toBeUndefined();
    return body.recipe as Shown;
  };
  const run = (recipeId: string, values: Json, options = {}) => api.call('recipe.run', { recipe_id: recipeId, values }, options);
  const messagesOf = async (taskId: unknown) => {
    const { body } = await api.call('task.listMessages', { task_id: String(taskId), order: 'asc' });
    return body.messages.filter(({ type }) => type === 'user_message').map((message) => message.user_message as Json);
  };

  async function joinTeams(one: Owner, other: Owner): Promise<string> {
    const [now, teamId, digest] = [Date.now(), newId(Date.now()), newId(Date.now())];
    const email = `${other.accountId}@example.com`.toLowerCase();
    await store.database.run(createTeam, { teamId, name: 'team', ownerId: one.accountId, now, actor: 'operator' });
    await store.database.run(inviteMember, { teamId, actorId: null, actor: 'operator', now, email, role: 'member', digest });
    await store.database.run(acceptInvitation, { digest, accountId: other.accountId, actor: 'operator', now });
    return teamId;
  }

  it('starts a task with its values in the message, and answers as task.create does', async () => {
    const { id } = await create({ agent_profile: 'service-1.6-lite', metadata: { from: 'recipe' } });
    const { status, body } = await run(id, { topic: '{{tone}} tea', tone: 'kind' });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['ok', 'request_id', 'task_id', 'task_title', 'task_url', 'share_visibility']);
    expect((await messagesOf(body.task_id)).map(({ content }) => content)).toEqual(['A kind poem about {{tone}} tea']);
    const { task } = (await api.call('task.detail', { task_id: String(body.task_id) })).body;
    expect(task).toMatchObject({ agent_profile: 'service-1.6-lite', metadata: { from: 'recipe' } });
  });

  it('starts one task for a repeated request with the same key', async () => {
    const { id } = await create();
    const headers = { 'idempotency-key': 'once' };
    const [one, other] = [await run(id, { topic: 'tea' }, { headers }), await run(id, { topic: 'tea' }, { headers })];
    expect(other.body.task_id).toBe(one.body.task_id);
  });

  const upload = async (filename: string): Promise<string> => {
    const { body } = await api.call('file.upload', { filename });
    await fetch(String(body.upload_url), { method: 'PUT', body: 'text' });
    return String((body.file as Json).id);
  };

  it('attaches the files of its fields and names them in the message', async () => {
    const { id } = await create({
      message_template: 'Read {{paper}}',
      fields: [{ name: 'paper', type: 'file', required: true }],
    });
    const { body } = await run(id, { paper: await upload('paper.txt') });
    expect(body.error).toBeUndefined();
    expect(await messagesOf(body.task_id)).toEqual([expect.objectContaining({ content: 'Read paper.txt' })]);
    expect((await run(id, { paper: `file-${'A'.repeat(22)}` })).body.error).toMatchObject({ param: 'values.paper' });
  });

  it.each([
    [{}, 'values.topic'],
    [{ topic: 'tea', tone: 'rude' }, 'values.tone'],
    [{ topic: 'tea', other: 'x' }, 'values.other'],
  ])('starts nothing with the values %j', async (values, param) => {
    const { id } = await create();
    const { status, body } = await run(id, values);
    expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_argument', param]);
    expect((await api.call('task.list')).body.data).toEqual([]);
  });

  it('starts nothing if no field is filled in and nothing else is in its message', async () => {
    const { id } = await create({ message_template: '{{topic}}', fields: [{ name: 'topic', type: 'text' }] });
    const { status, body } = await run(id, {});
    expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_argument', 'values']);
  });

  it.each([
    [{ name: ' ' }, 'name'],
    [{ message_template: '' }, 'message_template'],
    [{ message_template: 'About {{subject}}' }, 'message_template'],
    [{ fields: [{ name: 'a b', type: 'text' }] }, 'fields[0].name'],
    [{ fields: [fields[0], fields[0]] }, 'fields[1].name'],
    [{ fields: [{ name: 'tone', type: 'choice' }] }, 'fields[0].choices'],
    [{ fields: [{ name: 'tone', type: 'number' }] }, 'fields[0].type'],
    [{ description: 'x'.repeat(501) }, 'description'],
  ])('is not made with %j', async (change, param) => {
    const { status, body } = await api.call('recipe.create', { ...plain, ...change });
    expect([status, body.error.param]).toEqual([400, param]);
    expect(await store.database.run(listRecipes, { accountId: api.owner.accountId, beforeId: null, limit: 100 })).toEqual([]);
  });

  it('changes only what an update names, and its template always fits its fields', async () => {
    const recipe = await create();
    const update = (change: Json) => api.call('recipe.update', { recipe_id: recipe.id, ...change });
    const { updated_at: _, ...same } = recipe;
    expect((await update({ description: 'Short' })).body.recipe).toMatchObject({ ...same, description: 'Short' });
    expect((await update({ fields: [] })).body.error).toMatchObject({ param: 'message_template' });
    const { body } = await update({ fields: [], message_template: 'A poem' });
    expect(body.recipe).toMatchObject({ fields: [], message_template: 'A poem', name: 'Poems' });
    const [stored] = await store.database.run(listRecipes, { accountId: api.owner.accountId, beforeId: null, limit: 100 });
    if (!stored) throw new Error('the recipe is gone');
    const change = {
      accountId: stored.accountId,
      recipeId: stored.id,
      settings: { ...stored, isShared: false },
      now: Date.now(),
    };
    await expect(store.database.run(updateRecipe, { ...change, knownAtMs: 1 })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('can be shared with the team, which runs it but does not change it', async () => {
    const [mate, stranger] = [await addOwner(store.database), await addOwner(store.database)];
    expect((await api.call('recipe.create', { ...plain, team: true })).status).toBe(403);
    await joinTeams(api.owner, mate);
    const [own, shared] = [await create(), await create({ team: true })];
    expect((await run(shared.id, { topic: 'tea' }, { key: mate.key })).status).toBe(200);
    const listed = (await api.call('recipe.list', { limit: '100' }, { key: mate.key })).body.data;
    expect(listed.filter(({ is_shipped }) => is_shipped === false)).toEqual([{ ...shared, is_own: false }]);
    for (const name of ['recipe.update', 'recipe.delete']) {
      expect((await api.call(name, { recipe_id: shared.id }, { key: mate.key })).status).toBe(404);
    }
    for (const [id, { key }] of [
      [own.id, mate],
      [own.id, stranger],
      [shared.id, stranger],
    ] as const) {
      expect((await api.call('recipe.detail', { recipe_id: id }, { key })).status).toBe(404);
      expect((await run(id, { topic: 'tea' }, { key })).status).toBe(404);
    }
    expect((await api.call('recipe.delete', { recipe_id: shared.id })).body).toMatchObject({ id: shared.id, deleted: true });
    expect((await run(shared.id, { topic: 'tea' }, { key: mate.key })).status).toBe(404);
  });

  it('is listed with those of the team in pages that join to all, newest first', async () => {
    const mate = await addOwner(store.database);
    await joinTeams(api.owner, mate);
    const ids: unknown[] = [];
    for (let count = 0; count < 3; count++) {
      ids.unshift((await create({ team: true })).id);
      ids.unshift(((await api.call('recipe.create', plain, { key: mate.key })).body.recipe as Shown).id);
    }
    const listed: unknown[] = [];
    for (let cursor: unknown = ''; cursor !== undefined; ) {
      const page = await api.call('recipe.list', { limit: '4', ...(cursor !== '' && { cursor }) }, { key: mate.key });
      listed.push(...page.body.data.map(({ id }) => id));
      cursor = page.body.next_cursor;
    }
    expect(listed.slice(0, 6)).toEqual(ids);
    expect(listed).toHaveLength(16);
    expect(new Set(listed).size).toBe(16);
  });

  it('is shared with its team no longer than its owner is in it, and with no other team by itself', async () => {
    const [mate, stranger] = [await addOwner(store.database), await addOwner(store.database)];
    const teamId = await joinTeams(api.owner, mate);
    const { id } = await create({ team: true });
    const leave = { teamId, accountId: api.owner.accountId, actorId: null, actor: 'operator', now: Date.now() };
    await store.query("UPDATE team_members SET role = 'member' WHERE account_id = ? RETURNING role", api.owner.accountId);
    await store.database.run(removeMember, leave);
    expect((await run(id, { topic: 'tea' }, { key: mate.key })).status).toBe(404);
    const listed = (await api.call('recipe.list', { limit: '100' }, { key: mate.key })).body.data;
    expect(listed.filter(({ is_shipped }) => is_shipped === false)).toEqual([]);
    expect((await api.call('recipe.update', { recipe_id: id, name: 'Else' })).status).toBe(200);
    await joinTeams(api.owner, stranger);
    expect((await api.call('recipe.update', { recipe_id: id, name: 'Again' })).status).toBe(200);
    expect((await run(id, { topic: 'tea' }, { key: stranger.key })).status).toBe(404);
    expect((await api.call('recipe.update', { recipe_id: id, team: true })).status).toBe(200);
    expect((await run(id, { topic: 'tea' }, { key: stranger.key })).status).toBe(200);
  });

  it('comes with the service in ten kinds, which all run and none of which can be changed', async () => {
    await create();
    const first = (await api.call('recipe.list', { limit: '6' })).body;
    const second = (await api.call('recipe.list', { limit: '6', cursor: String(first.next_cursor) })).body;
    expect([first.has_more, second.has_more]).toEqual([true, false]);
    const shipped = [...first.data, ...second.data].filter(({ is_shipped }) => is_shipped) as (Shown & { fields: Json[] })[];
    expect(shipped).toHaveLength(10);
    const file = await upload('paper.txt');
    for (const recipe of shipped) {
      expect((await api.call('recipe.detail', { recipe_id: recipe.id })).body.recipe).toEqual(recipe);
      const { error } = (await api.call('recipe.delete', { recipe_id: recipe.id })).body;
      expect(error.code).toBe('failed_precondition');
      const values = recipe.fields.map(({ name, type, choices }) => {
        const samples: Json = { file, text: 'tea', date: '2027-01-31', choice: (choices as string[] | undefined)?.[0] };
        return [String(name), samples[String(type)]] as const;
      });
      const { status, body } = await run(recipe.id, Object.fromEntries(values));
      expect([recipe.id, status]).toEqual([recipe.id, 200]);
      const content = String((await messagesOf(body.task_id))[0]?.content);
      expect(content).not.toMatch(/\{\{|\}\}/);
      const takesFile = recipe.fields.some(({ type }) => type === 'file');
      expect([recipe.id, content.includes('paper.txt')]).toEqual([recipe.id, takesFile]);
    }
  });
});
