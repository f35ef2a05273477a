import { describe, expect, it } from 'vitest';
import { usualStorageLimits } from '../../rules/files/storage-quota.ts';
import { MemoryDatabase } from '../../../test/support/db/memory-database.ts';
import { MemoryBlobStore } from '../../../test/support/files/memory-blob-store.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { toolContext, useWorkspace } from '../../../test/support/tasks/tool-context.ts';
import { newId } from '@errand/base/ids.ts';
import type { SiteFile } from '../../rules/websites/site.ts';
import type { SiteCheckpoint } from '../../rules/events/task-event.ts';
import { type Workspace } from '@errand/sandbox/workspace';
import { createBlobs } from '../../store/blobs/blobs.ts';
import { silentLog } from '@errand/base/log.ts';
import { createPublishWebsite } from './publish-website.ts';
import { createToolbox } from '../toolbox/toolbox.ts';

const accountId = newId(1);
let workspace: Workspace;

useWorkspace('site', (opened) => {
  workspace = opened;
});

function open() {
  const clock = new TestClock();
  const blobs = createBlobs({ database: new MemoryDatabase(clock), blobStore: new MemoryBlobStore(), clock });
  const tool = createPublishWebsite({ blobs, limit: usualStorageLimits.task }, () => Promise.resolve('https://content.example'));
  const run = (request: Record<string, unknown>, sites: readonly SiteCheckpoint[] = []) =>
    tool.run(tool.input.parse({ title: 'My site', ...request }), toolContext(workspace, { accountId, sites }));
  const read = async ({ blobId, indexAt }: SiteCheckpoint) => {
    const text = Buffer.concat(await (await blobs.open(accountId, blobId)).toArray()).toString();
    const files = JSON.parse(text.slice(indexAt)) as SiteFile[];
    return Object.fromEntries(files.map(({ path, start, bytes }) => [path, text.slice(start, start + bytes)]));
  };
  return { run, read, tool };
}

describe('publish_website', () => {
  it('needs no approval for a private checkpoint, and always for publication', async () => {
    const { tool, run } = open();
    const toolbox = createToolbox([tool], silentLog);
    const input = { folder: 'site', title: 'My site' };
    expect(toolbox.findAction({ tool: 'publish_website', input })).toBeNull();
    const action = toolbox.findAction({ tool: 'publish_website', input: { ...input, publish_for: 'public' } });
    expect(action).toMatchObject({ kind: 'deployAction', brief: 'Publishing the website My site (public)', param: 'site' });
    const renewed = { ...input, publish_for: 'public', message: 'Box at £23' };
    expect(toolbox.findAction({ tool: 'publish_website', input: renewed })).toMatchObject({ param: 'site, “Box at £23”' });
    await workspace.write('site/index.html', 'x');
    const draft = await run({ folder: 'site' });
    expect(draft.site).not.toHaveProperty('publishFor');
    expect(draft.output).toContain(
      "This version is a draft, which the user sees on the task's page and can publish there.\nURL for everybody",
    );
    const published = await run({ folder: 'site', publish_for: 'public' });
    expect(published).toMatchObject({
      site: { publishFor: 'public' },
      output: expect.stringContaining(
        `see what the folder showed you.\nURL: https://content.example/sites/${published.site?.space}/`,
      ) as string,
    });
    expect((await run({ folder: 'site', publish_for: 'private' })).output).not.toContain('https:');
  });

  it('offers publication only where a person can confirm it', () => {
    const toolbox = createToolbox([open().tool], silentLog);
    const others = { subtasks: true, skills: true, references: true, images: true };
    const fieldsFor = (user: boolean) => {
      const offered = toolbox.definitions({ ...others, user }).find(({ name }) => name === 'publish_website');
      return [Object.keys(offered?.inputSchema['properties'] ?? {}), offered?.description.includes('publish_for')];
    };
    expect(fieldsFor(true)).toEqual([['folder', 'title', 'publish_for'], false]);
    expect(fieldsFor(false)).toEqual([['folder', 'title'], false]);
  });

  it('stores every file of the folder in one blob, without private ones', async () => {
    const { run, read } = open();
    for (const path of ['site/index.html', 'site/css/a.css', 'site/.env', 'site/.git/config', 'secret.txt', 'site/empty.js'])
      await workspace.write(path, path === 'site/empty.js' ? '' : path);
    const { output, site } = await run({ folder: './site/', platform: 'game' });
    expect(site).toMatchObject({ folder: 'site/', title: 'My site', platform: 'game', message: 'The first version' });
    expect(site && (await read(site))).toEqual({
      'css/a.css': 'site/css/a.css',
      'empty.js': '',
      'index.html': 'site/index.html',
    });
    expect(output).toContain('3 files');
    expect(output).toContain('This version is a draft');
  });

  it('creates a newer checkpoint of the same site on the next call, and lists changed files by name', async () => {
    const { run } = open();
    await workspace.write('index.html', 'one');
    const { output, site: first } = await run({ folder: '.' });
    expect(output).toMatch(/^Saved the website "My site" \(1 file\)\. This version is a draft/);
    expect(output).not.toContain(first?.versionId);
    await workspace.write('index.html', 'two');
    const second = (await run({ folder: '.', message: 'Two' }, first ? [first] : [])).site;
    expect(second).toMatchObject({ websiteId: first?.websiteId, space: first?.space, folder: './', message: 'Two' });
    expect(second?.versionId).not.toBe(first?.versionId);
  });

  it('rejects a folder without an index page, and warns of links that leave the site', async () => {
    const { run } = open();
    await workspace.write('site/page.html', '');
    await expect(run({ folder: 'site' })).rejects.toThrow('has no index.html');
    await expect(run({ folder: '../x' })).rejects.toThrow('leads out of the workspace');
    await workspace.write('site/index.html', '<a href="/page.html">x</a><a href="//cdn.example/x">y</a>');
    expect((await run({ folder: 'site' })).output).toContain('make them relative: index.html.');
  });
});
