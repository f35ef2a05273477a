import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { newId } from '@errand/base/ids.ts';
import { silentLog } from '@errand/base/log.ts';
import type { SiteFile, SitePlatform } from '../../src/rules/websites/site.ts';
import type { SiteCheckpoint } from '../../src/rules/events/task-event.ts';
import { switchTeam } from '../../src/store/accounts/current-team.ts';
import { acceptInvitation, inviteMember, removeMember } from '../../src/store/accounts/team-membership.ts';
import { createTeam } from '../../src/store/accounts/teams.ts';
import { hasSharingTeam } from '../../src/store/websites/websites.ts';
import { LibraryWorker } from '../../src/work/artifacts/library-worker.ts';
import { describeStores } from '../support/db/databases.ts';
import { eventually } from '../support/service/service-client.ts';
import { inPieces } from '../support/files/blob-store-contract.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { someId, someNumber, someText } from '../support/http/matchers.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

const pages = {
  '404.html': 'not here',
  'a b.css': 'b{}',
  'docs/index.html': 'docs',
  'empty.js': '',
  'evil.svg': '<svg onload="alert(1)"/>',
  'index.html': '<h1>home</h1>',
};

/** A checkpoint as publish_website makes it. */
async function checkpoint(api: ApiUnderTest, changes: Partial<SiteCheckpoint> = {}, texts: Record<string, string> = pages) {
  const files: SiteFile[] = [];
  let content = '';
  for (const [path, text] of Object.entries(texts)) {
    const sha256 = createHash('sha256').update(text).digest('hex');
    files.push({ path, start: content.length, bytes: text.length, sha256 });
    content += text;
  }
  const blob = Buffer.from(content + JSON.stringify(files));
  const { blobId, bytes } = await api.blobs.put(api.owner.accountId, inPieces(blob), { maxBytes: 100_000 });
  const id = newId(Date.now());
  const platform: SitePlatform = 'website';
  const base = { websiteId: id, folder: 'site/', space: newId(1), title: 'Site', platform, versionId: 'v1', message: 'First' };
  return { type: 'site_made' as const, ...base, blobId, indexAt: content.length, bytes, ...changes };
}

async function makeSite(api: ApiUnderTest, changes: Partial<SiteCheckpoint> = {}) {
  const taskId = await api.createTask();
  const site = await checkpoint(api, changes);
  const hand = await WorkerHand.take(api.database, taskId);
  await hand.log(site);
  return { taskId, site, hand };
}

function startWorker({ database, blobs }: ApiUnderTest): LibraryWorker {
  const covers = {
    means: { hasBrowser: true, hasOffice: false, hasFfmpeg: false },
    make: () => Promise.reject(new Error('no picture')),
  };
  return new LibraryWorker({ database, blobs, covers, clock: systemClock, log: silentLog });
}

/** Asks for the status until the site is no longer on its way. */
function published(api: ApiUnderTest, input: Json): Promise<Json & { site_urls: string[] }> {
  return eventually('the site to be published', async () => {
    const { body } = await api.call('website.status', input);
    return body.publish_status === 'publishing' ? null : (body as unknown as Json & { site_urls: string[] });
  });
}

describeStores('a website', (store) => {
  it('is not reachable until its user publishes it, and then serves its newest checkpoint', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { taskId, site, hand } = await makeSite(api, { platform: 'game', title: 'Snake' });
    const [artifact] = (await api.call('artifact.list', { type: 'game' })).body.data;
    expect(artifact).toMatchObject({ id: site.websiteId, file_type: 'webdev', platform_type: 'game', display_name: 'Snake' });
    expect(artifact).not.toHaveProperty('url');
    const status = await api.call('website.status', { task_id: taskId });
    expect(status.body).toEqual({
      ok: true,
      request_id: someText(/^req_/),
      website_id: site.websiteId,
      publish_status: 'unpublished',
      site_urls: [],
      visibility: 'private',
    });
    expect((await fetch(`${api.http.contentUrl()}/sites/${site.space}/`)).status).toBe(404);
    await hand.log(await checkpoint(api, { ...site, versionId: 'v2', message: 'Second' }));
    const asked = await api.call('website.publish', { website_id: site.websiteId, visibility: '' });
    expect(asked.body).toMatchObject({ ok: true, website_id: site.websiteId, version_id: 'v2' });
    expect((await api.call('website.status', { task_id: taskId })).body.publish_status).toBe('publishing');
    const worker = startWorker(api);
    await worker.start();
    const live = await published(api, { task_id: taskId });
    await worker.stop();
    expect(live).toMatchObject({
      publish_status: 'published',
      site_urls: [`${api.http.contentUrl()}/sites/${site.space}/`],
      version_id: 'v2',
      status_updated_at: someNumber,
      visibility: 'public',
    });
    expect(await (await fetch(live.site_urls[0] ?? '')).text()).toBe('<h1>home</h1>');
    expect((await api.call('artifact.list')).body.data).toMatchObject([{ url: live.site_urls[0] }]);
    const list = await api.call('website.listCheckpoints', { website_id: site.websiteId });
    expect(list.body).toMatchObject({
      website_id: site.websiteId,
      published_version_id: 'v2',
      data: [
        { version_id: 'v2', message: 'Second', status: 'success', created_at: someNumber },
        { version_id: 'v1', message: 'First', status: 'success' },
      ],
    });
    await api.call('task.delete', { task_id: taskId });
    const former = live.site_urls[0] ?? '';
    expect((await fetch(former)).headers.get('content-type')).toMatch(/json/);
    for (const url of [former, new URL('/', former).href]) {
      const visit = await fetch(url, { headers: { accept: 'text/html', 'accept-language': 'de' } });
      expect([url, visit.status, visit.headers.get('content-type')]).toEqual([url, 404, 'text/html; charset=utf-8']);
      expect(visit.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^ ]+'; form-action/);
      const text = await visit.text();
      expect(text).toMatch(/<html lang="de"><[^]*<h1>Seite nicht gefunden<\/h1>/);
      // Only the origin of the service has the files of the typeface.
      expect(text).not.toContain('/assets/');
    }
    expect((await api.call('website.status', { website_id: site.websiteId })).status).toBe(404);
    expect((await store.query('SELECT COUNT(*) AS count FROM website_versions'))[0]?.count).toBe(0);
  });

  it('is served as untrusted content: in an opaque origin, whole or in part', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { site } = await makeSite(api);
    await api.call('website.publish', { website_id: site.websiteId });
    await using worker = Object.assign(startWorker(api), { [Symbol.asyncDispose]: () => worker.stop() });
    await worker.start();
    const [url = ''] = (await published(api, { website_id: site.websiteId })).site_urls;
    const get = (path: string, init: RequestInit = {}) => fetch(url + path, { redirect: 'manual', ...init });
    for (const [path, type] of [
      ['', 'text/html; charset=utf-8'],
      ['a%20b.css', 'text/css; charset=utf-8'],
      ['empty.js', 'text/javascript; charset=utf-8'],
      ['evil.svg', 'image/svg+xml'],
    ] as const) {
      const { status, headers } = await get(path);
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, type]);
      expect(headers.get('content-security-policy')).toMatch(/^sandbox (?!.*allow-same-origin)(?!.*allow-top-navigation)/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('set-cookie')).toBeNull();
      expect(headers.get('cache-control')).toBe('public, max-age=60');
    }
    const folder = await get('docs');
    expect([folder.status, new URL(folder.headers.get('location') ?? '', `${url}docs`).href]).toEqual([308, `${url}docs/`]);
    expect(await (await get('docs/')).text()).toBe('docs');
    for (const path of ['gone', 'docs/gone', '%2e%2e%2fx', '..%2f..%2fetc%2fpasswd', '__proto__', 'docs%00']) {
      const missing = await get(path);
      expect([path, missing.status]).toEqual([path, 404]);
      expect(missing.headers.get('content-security-policy')).toMatch(/^sandbox|default-src 'none'/);
    }
    expect(await (await get('gone')).text()).toBe('not here');
    const part = await get('', { headers: { range: 'bytes=4-7' } });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 4-7/13', 'home']);
    const etag = (await get('')).headers.get('etag') ?? '';
    expect((await get('', { headers: { 'if-none-match': etag } })).status).toBe(304);
    const head = await get('', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '13', '']);
  });

  it('that is not public opens only with signed URLs, and a change of visibility invalidates them at once', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { site } = await makeSite(api);
    const website = { website_id: site.websiteId };
    await api.call('website.publish', website);
    await using worker = Object.assign(startWorker(api), { [Symbol.asyncDispose]: () => worker.stop() });
    await worker.start();
    const [open = ''] = (await published(api, website)).site_urls;
    expect((await api.call('website.update', { ...website, visibility: 'private' })).body).toEqual({
      ok: true,
      request_id: someText(/^req_/),
    });
    expect((await fetch(open)).status).toBe(404);
    const [signed = ''] = (await published(api, website)).site_urls;
    const page = await fetch(signed);
    expect([page.status, page.headers.get('cache-control'), await page.text()]).toEqual([
      200,
      'private, no-cache',
      '<h1>home</h1>',
    ]);
    expect(await (await fetch(`${signed}docs/`)).text()).toBe('docs');
    expect((await fetch(signed.replace(/.\/$/, (end) => (end === 'A/' ? 'B/' : 'A/')))).status).toBe(403);
    const team = { ...website, visibility: 'team' };
    for (const name of ['website.update', 'website.publish']) {
      const refused = await api.call(name, team);
      expect([refused.status, refused.body.error.code]).toEqual([403, 'permission_denied']);
    }
    await store.database.run(createTeam, {
      teamId: newId(Date.now()),
      name: 'Team',
      ownerId: api.owner.accountId,
      now: Date.now(),
      actor: 'operator',
    });
    expect((await api.call('website.update', team)).status).toBe(200);
    expect((await fetch(signed)).status).toBe(404);
    expect((await fetch((await published(api, website)).site_urls[0] ?? '')).status).toBe(200);
  });

  it('is shared with its own team while its owner is in no current one, and with nobody without a team', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { accountId } = api.owner;
    const ann = await addOwner(store.database);
    const join = async (name: string) => {
      const team = { teamId: newId(Date.now()), now: Date.now(), actor: 'operator' };
      await store.database.run(createTeam, { ...team, name, ownerId: ann.accountId });
      const invitation = { email: `${accountId}@example.com`.toLowerCase(), role: 'member' as const, digest: newId(Date.now()) };
      await store.database.run(inviteMember, { ...team, actorId: null, ...invitation });
      await store.database.run(acceptInvitation, { ...team, accountId, digest: invitation.digest });
      return team.teamId;
    };
    const { site: early } = await makeSite(api);
    const share = async ({ websiteId }: { websiteId: string }) =>
      (await api.call('website.update', { website_id: websiteId, visibility: 'team' })).status;
    expect(await share(early)).toBe(403);
    const blue = await join('Blue');
    const { site: ofBlue } = await makeSite(api);
    const red = await join('Red');
    await store.database.run(switchTeam, { accountId, teamId: red, actor: 'test', now: Date.now() });
    const { site: ofRed } = await makeSite(api);
    await store.database.run(removeMember, { teamId: red, actorId: null, accountId, actor: 'operator', now: Date.now() });
    expect([await share(ofBlue), await share(ofRed)]).toEqual([200, 403]);
    expect(await store.database.run(hasSharingTeam, { accountId, websiteId: ofRed.websiteId })).toBe(false);
    await store.database.run(switchTeam, { accountId, teamId: blue, actor: 'test', now: Date.now() });
    expect(await share(ofRed)).toBe(200);
  });

  it('is published for its owner alone, and newer versions for those who see it already, on request', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { site } = await makeSite(api);
    const website = { website_id: site.websiteId };
    await using worker = Object.assign(startWorker(api), { [Symbol.asyncDispose]: () => worker.stop() });
    await worker.start();
    const ambiguous = await api.call('website.publish', { ...website, visibility: 'public', keep_visibility: true });
    expect([ambiguous.status, ambiguous.body.error.param]).toEqual([400, 'keep_visibility']);
    expect((await api.call('website.publish', { ...website, keep_visibility: true })).status).toBe(200);
    const draft = await published(api, website);
    expect(draft.visibility).toBe('private');
    expect((await fetch(draft.site_urls[0] ?? '')).status).toBe(200);
    expect((await fetch((draft.site_urls[0] ?? '').replace(/[^/]+\/$/, ''))).status).not.toBe(200);
    await api.call('website.update', { ...website, visibility: 'public' });
    await api.call('website.publish', { ...website, keep_visibility: true });
    expect((await published(api, website)).visibility).toBe('public');
  });

  it('is found by exactly one of website_id and task_id, and only for its owner', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { taskId, site } = await makeSite(api);
    const both = { website_id: site.websiteId, task_id: taskId };
    const names = ['website.status', 'website.listCheckpoints', 'website.publish', 'website.update'];
    for (const name of names) {
      const more = name === 'website.update' ? { title: 'New' } : {};
      const codes = [];
      for (const input of [both, {}, { website_id: '', task_id: '' }, { website_id: 'x' }, { task_id: newId(4) }]) {
        codes.push((await api.call(name, { ...input, ...more })).status);
      }
      expect([name, codes]).toEqual([name, [400, 400, 400, 404, 404]]);
      const stranger = await addOwner(store.database);
      const foreign = await api.call(name, { website_id: site.websiteId, ...more }, { key: stranger.key });
      expect([foreign.status, foreign.body.error.message]).toEqual([404, 'website not found']);
      expect((await api.call(name, { website_id: site.websiteId, task_id: '', ...more })).status).toBe(200);
    }
    for (const change of [{}, { visibility: '' }, { visibility: 'friends' }, { title: ' ' }]) {
      const { status, body } = await api.call('website.update', { website_id: site.websiteId, ...change });
      expect([status, body.error.code]).toEqual([400, 'invalid_argument']);
    }
    expect((await api.call('website.publish', { website_id: site.websiteId, visibility: 'private' })).status).toBe(400);
    expect((await api.call('artifact.list', { query: 'new' })).body.data).toMatchObject([{ id: someId, display_name: 'New' }]);
    await store.query('DELETE FROM website_versions');
    const empty = await api.call('website.publish', { website_id: site.websiteId });
    expect([empty.status, empty.body.error.code]).toEqual([412, 'failed_precondition']);
  });
});
