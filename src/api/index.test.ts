import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nameOf, readMatrix } from '../../test/access/matrix.ts';
import type { Access } from '../rules/accounts/access.ts';
import type { Operation } from './contract/operation.ts';
import { adminOperations, operations, webOperations } from './index.ts';

const wireName = /^[a-z]+\.[a-zA-Z]+\.ts$/;

/** Every operation file, with the subject that its folder names. */
function listFiles(): { subject: string; name: string }[] {
  return globSync('*/**/*.ts', { cwd: new URL('./', import.meta.url) })
    .map((file) => ({ subject: file.split('/')[0] ?? '', base: file.split('/').at(-1) ?? '' }))
    .filter(({ base }) => wireName.test(base) && !base.endsWith('.test.ts'))
    .map(({ subject, base }) => ({ subject, name: base.slice(0, -'.ts'.length) }));
}

describe('the operation table', () => {
  it('has one row for each file, of the same name, in the list of its subject', async () => {
    const files = listFiles();
    for (const subject of new Set(files.map((file) => file.subject))) {
      const module = (await import(new URL(`${subject}/operations.ts`, import.meta.url).href)) as Record<string, Operation[]>;
      const listed = Object.values(module).flatMap((rows) => rows.map(({ name }) => name));
      const stored = files.filter((file) => file.subject === subject).map(({ name }) => name);
      expect({ subject, names: listed.toSorted() }).toEqual({ subject, names: stored.toSorted() });
    }
    const rows = new Set([...operations, ...adminOperations, ...webOperations].map(({ name }) => name));
    expect([...rows].toSorted()).toEqual(files.map(({ name }) => name).toSorted());
  });

  it('gives each API version its operations at its own paths', () => {
    const versions = [
      [
        operations,
        '/v2',
        [
          'account',
          'trusted',
          'tasks',
          'all_tasks',
          'projects',
          'browsers',
          'instance',
          'task_reads',
          'task_streams',
          'task_answers',
        ],
      ],
      [adminOperations, '/admin', ['operator', 'own']],
      [webOperations, '/web', ['browser', 'visitor', 'own']],
    ] as const;
    for (const [rows, place, kinds] of versions) {
      for (const { access, path, name } of rows)
        expect({ access, path }).toEqual({ access: kinds.find((kind) => kind === access), path: `${place}/${name}` });
    }
  });

  it('lets applications call what each kind of resource is for, and nothing else', () => {
    const rules: [RegExp, Access][] = [
      [/^(skill|connector)\.(create|check|delete|readApi)/, 'account'],
      [/^task\.(detail|listMessages)$/, 'task_reads'],
      [/^task\.stream$/, 'task_streams'],
      [/^task\.sendMessage$/, 'task_answers'],
      [/^task\.(token|comment|listComments|updateComment|deleteComment|handOver|listAssigned)$/, 'all_tasks'],
      [/^(task|connector|skill|file|artifact)\./, 'tasks'],
      [/^(memory|inbox|schedule)\./, 'all_tasks'],
      [/^project\./, 'projects'],
      [/^(trigger|recipe|budget|limit|policy|brand)\./, 'all_tasks'],
      [/^browser\./, 'browsers'],
      [/^(agent|website)\./, 'trusted'],
      [/^(webhook|request|usage|notification|model)\./, 'account'],
      [/^instance\./, 'instance'],
    ];
    for (const { name, access } of operations) {
      expect({ name, access }).toEqual({ name, access: rules.find(([pattern]) => pattern.test(name))?.[1] });
    }
  });

  it('says in test/access/matrix.yaml of every row who may call it, and of nothing else', () => {
    const rows = new Set(readMatrix().operations.map(nameOf));
    expect([...rows].toSorted()).toEqual([...operations, ...webOperations].map(({ name }) => name).toSorted());
  });

  it('has every operation that clients of this kind of service know', () => {
    const known = {
      task: ['create', 'detail', 'list', 'stop', 'delete', 'update', 'sendMessage', 'listMessages', 'confirmAction'],
      project: ['create', 'list'],
      skill: ['list'],
      agent: ['list', 'detail', 'update'],
      connector: ['list'],
      browser: ['onlineList'],
      file: ['upload', 'detail', 'delete'],
      webhook: ['create', 'list', 'delete', 'publicKey'],
      usage: ['list', 'availableCredits', 'teamStatistic', 'teamLog'],
      website: ['status', 'listCheckpoints', 'publish', 'update'],
      artifact: ['list'],
    };
    const page = readFileSync(new URL('../../docs/compatibility.md', import.meta.url), 'utf8');
    for (const [resource, actions] of Object.entries(known)) {
      for (const action of actions) {
        const name = `${resource}.${action}`;
        const isRead = /^(detail|\w*list\w*|publicKey|availableCredits|team\w+|status|runs)$/i.test(action);
        expect(page).toContain(`| \`${isRead ? 'GET' : 'POST'} /v2/${name}\` |`);
      }
    }
    const tasks = [
      'POST /v1/tasks',
      'GET /v1/tasks',
      ...['GET', 'PUT', 'DELETE'].map((method) => `${method} /v1/tasks/:task_id`),
    ];
    const rest = ['POST /v1/projects', 'GET /v1/projects', 'POST /v1/webhooks', 'DELETE /v1/webhooks/:webhook_id'];
    const both = ['/v1', ''].flatMap((prefix) => [
      ...['POST', 'GET'].map((method) => `${method} ${prefix}/files`),
      ...['GET', 'DELETE'].map((method) => `${method} ${prefix}/files/:file_id`),
      `POST ${prefix}/responses`,
      ...['GET', 'DELETE'].map((method) => `${method} ${prefix}/responses/:response_id`),
    ]);
    const key = 'GET /v1/webhook/public_key';
    for (const address of [...tasks, ...rest, ...both, key]) expect(page).toContain(`| v1 | \`${address}\` |`);
  });

  it('counts every write as one, and reads without a body', () => {
    for (const { method, cost } of [...operations, ...adminOperations, ...webOperations])
      expect(method === 'GET').toBe(cost === 'read');
  });
});
