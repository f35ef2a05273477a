import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { beginAccountDeletion, deleteAccountRows } from '../../src/store/accounts/account-deletion.ts';
import { takeUnneededBlobs } from '../../src/store/blobs/blob-references.ts';
import { findBrand } from '../../src/store/brands/brands.ts';
import { completeUpload, createFile, deleteFile } from '../../src/store/files/files.ts';
import { describeStores } from '../support/db/databases.ts';
import { packOffice, wordParts } from '../support/files/office-samples.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { someNumber } from '../support/http/matchers.ts';

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';

describeStores('brands', (store) => {
  /** The id of a file with this content. */
  const upload = async (api: ApiUnderTest, filename: string, content: string | Uint8Array) => {
    const { accountId } = api.owner;
    const fileId = `file-${newId(Date.now())}`;
    const contentType = 'application/octet-stream';
    const about = { accountId, fileId, filename, contentType, oauthClientId: null, now: Date.now() };
    await store.database.run(createFile, about);
    async function* bytes() {
      yield await Promise.resolve(Buffer.from(content));
    }
    const stored = await api.blobs.put(accountId, bytes(), { maxBytes: 20_000_000 });
    await store.database.run(completeUpload, { accountId, fileId, ...stored, contentType, now: Date.now() });
    return fileId;
  };
  const set = async (api: ApiUnderTest, input: Json) => {
    const { status, body } = await api.call('brand.set', input);
    return status === 200 ? (body.brand as Json) : [status, body.error.code, body.error.param];
  };
  const get = async (api: ApiUnderTest, input: Json) => (await api.call('brand.get', input)).body.brand;
  const template = packOffice(wordParts('<w:p/>'));

  it('are changed field by field, keep their files without the uploads, and are deleted with them', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const account = { scope: 'account' };
    expect(await get(api, account)).toBe(null);
    const logo = await upload(api, 'logo.svg', svg);
    const first = await set(api, { ...account, name: ' Rivermouth\n', colors: { accent: '#B3002D', chart: ['#123456'] }, logo });
    const shownLogo = {
      filename: 'logo.svg',
      bytes: svg.length,
      type: 'svg',
      data_uri: expect.stringMatching(/^data:image\/svg\+xml;base64,/) as unknown,
    };
    expect(first).toEqual({
      ...account,
      id: api.owner.accountId,
      name: 'Rivermouth',
      theme: 'report',
      colors: { accent: '#b3002d', chart: ['#123456'] },
      fonts: {},
      logo: shownLogo,
      templates: {},
      footer: '',
      updated_at: someNumber,
    });
    const docx = await upload(api, 'letter.docx', template);
    await store.database.run(deleteFile, { accountId: api.owner.accountId, fileId: logo, now: Date.now() });
    const second = await set(api, { ...account, footer: 'Old Quay 1', templates: { docx }, fonts: { heading: 'Manrope' } });
    const shownTemplate = { filename: 'letter.docx', bytes: template.length, type: 'docx' };
    expect(second).toMatchObject({
      name: 'Rivermouth',
      logo: shownLogo,
      templates: { docx: shownTemplate },
      footer: 'Old Quay 1',
    });
    expect(await store.database.run(takeUnneededBlobs, { limit: 10 })).toEqual([]);
    expect(await get(api, account)).toEqual(second);
    await set(api, { ...account, logo: null });
    expect(await store.database.run(takeUnneededBlobs, { limit: 10 })).toHaveLength(1);
    expect((await api.call('brand.delete', account)).body).toMatchObject({ deleted: true });
    expect((await api.call('brand.delete', account)).body).toMatchObject({ deleted: false });
    expect(await get(api, account)).toBe(null);
  });

  it('of a project take the place of that of the account', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { id } = (await api.call('project.create', { name: 'x' })).body.project as { id: string };
    const { accountId } = api.owner;
    const find = async (projectId: string | null) =>
      (await store.database.run(findBrand, { accountId, projectId }))?.brand.name ?? null;
    expect([await find(null), await find(id)]).toEqual([null, null]);
    await set(api, { scope: 'account', name: 'Whole' });
    expect([await find(null), await find(id)]).toEqual(['Whole', 'Whole']);
    await set(api, { scope: 'project', id, name: 'Part' });
    expect([await find(null), await find(id)]).toEqual(['Whole', 'Part']);
    await api.call('brand.delete', { scope: 'project', id });
    expect(await find(id)).toBe('Whole');
  });

  it('refuse what cannot be read, is no file of theirs, or is not what it is given as', async () => {
    await using api = await ApiUnderTest.start(store.database);
    await using other = await ApiUnderTest.start(store.database, { owner: await addOwner(store.database) });
    const account = { scope: 'account' };
    const stranger = await upload(other, 'logo.svg', svg);
    const text = await upload(api, 'a.txt', 'hello');
    const large = await upload(api, 'large.svg', svg.padEnd(300_000));
    const script = await upload(api, 'script.svg', svg.replace('<path', '<script/><path'));
    const docx = await upload(api, 'a.docx', template);
    const invalid = (param: string) => [400, 'invalid_argument', param];
    expect(await set(api, { ...account, colors: { accent: '#ffff00' } })).toEqual(invalid('colors.accent'));
    expect(await set(api, { ...account, colors: { accent: 'red' } })).toEqual(invalid('colors.accent'));
    expect(await set(api, { ...account, fonts: { text: 'Comic Sans' } })).toEqual(invalid('fonts.text'));
    expect(await set(api, { ...account, fonts: { text } })).toEqual(invalid('fonts.text'));
    expect(await set(api, { ...account, logo: text })).toEqual(invalid('logo'));
    expect(await set(api, { ...account, logo: script })).toEqual(invalid('logo'));
    expect(await set(api, { ...account, logo: large })).toEqual([413, 'payload_too_large', 'logo']);
    expect(await set(api, { ...account, logo: stranger })).toEqual([404, 'not_found', 'logo']);
    expect(await set(api, { ...account, templates: { pptx: docx } })).toEqual(invalid('templates.pptx'));
    expect(await set(api, { ...account, templates: { docx: text } })).toEqual(invalid('templates.docx'));
    expect(await set(api, { scope: 'project' })).toEqual(invalid('id'));
    expect(await set(api, { scope: 'project', id: newId(1) })).toEqual([404, 'not_found', 'id']);
    expect(await set(api, { ...account, id: other.owner.accountId })).toEqual([404, 'not_found', 'id']);
    expect(await get(api, account)).toBe(null);
  });

  it('are proposed from a template, which sets nothing', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { status, body } = await api.call('brand.read', { file_id: await upload(api, 'a.docx', template) });
    expect([status, body]).toMatchObject([
      200,
      { type: 'docx', colors: { chart: [] }, fonts: {}, missing_fonts: [], logo: null },
    ]);
    expect(await get(api, { scope: 'account' })).toBe(null);
    const wrong = await api.call('brand.read', { file_id: await upload(api, 'a.txt', 'x') });
    expect([wrong.status, wrong.body.error.param]).toEqual([400, 'file_id']);
  });

  it('are gone with their account', async () => {
    const owner = await addOwner(store.database);
    await using api = await ApiUnderTest.start(store.database, { owner });
    await set(api, { scope: 'account', name: 'x', logo: await upload(api, 'logo.svg', svg) });
    await store.database.run(beginAccountDeletion, { accountId: owner.accountId, actor: 'operator', now: Date.now() });
    for (let state = 'more'; state === 'more'; ) {
      state = await store.database.run(deleteAccountRows, { accountId: owner.accountId, limit: 1000 });
    }
    expect(await store.query('SELECT scope FROM brands WHERE account_id = ?', owner.accountId)).toEqual([]);
  });
});
