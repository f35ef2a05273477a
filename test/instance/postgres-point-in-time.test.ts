import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { identity } from '../support/db/postgres-programs.ts';
import { Child } from '../support/process/child.ts';
import { createFolder } from '../support/process/leftovers.ts';
import { findQuietPort } from '../support/service/quiet-port.ts';
import { eventually, ServiceClient } from '../support/service/service-client.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';

/** Debian's programs, of the newest version whose server is installed; clients may be of a newer one. */
const versions = '/usr/lib/postgresql';
const programs = (existsSync(versions) ? readdirSync(versions) : [])
  .toSorted((one, other) => Number(other) - Number(one))
  .map((version) => path.join(versions, version, 'bin'))
  .find((folder) => existsSync(path.join(folder, 'initdb')));
const mustRun = process.env['CI'] !== undefined && process.platform === 'linux';

const page = readFileSync(fileURLToPath(new URL('../../docs/operate/backup.md', import.meta.url)), 'utf8');

/** The commands and settings that operators are told. */
function findBlock(begins: string): string {
  const block = page.split('```').find((text) => text.replace(/^\w+\n/, '').startsWith(begins));
  if (block === undefined) throw new Error(`no block of docs/operate/backup.md begins with ${begins}`);
  return block.replace(/^\w+\n/, '');
}

it.skipIf(programs === undefined && !mustRun)(
  'a PostgreSQL server is back as of a moment, or with everything acknowledged, by the commands of the documentation',
  async () => {
    if (programs === undefined) throw new Error(`no server of PostgreSQL in ${versions}`);
    const [folder, port] = [createFolder('postgres-moment'), await findQuietPort()];
    const [data, backups] = [path.join(folder, 'data'), path.join(folder, 'backup')];
    mkdirSync(path.join(backups, 'wal'), { recursive: true });
    for (const one of [folder, backups, path.join(backups, 'wal')]) {
      chmodSync(one, 0o755);
      if (identity) chownSync(one, identity.uid, identity.gid);
    }
    const env = {
      ...{ PATH: `${programs}:${process.env['PATH'] ?? ''}`, LC_ALL: 'C', TZ: 'UTC', HOME: folder, PGDATA: data },
      ...{ PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: 'errand', PGDATABASE: 'postgres' },
    };
    const run = async (script: string): Promise<string> => {
      const here = script
        .replaceAll('/mnt/backup', backups)
        .replace(/^pg_ctl start$/m, 'pg_ctl -w -l server.log start >started 2>&1 </dev/null');
      const child = await Child.start('bash', ['-e', '-c', here], { env, cwd: folder, ...(identity && { identity }) });
      const { code } = await child.ended;
      const text = child.lines.map((line) => line.text).join('\n');
      expect([code, text]).toEqual([0, expect.anything()]);
      return text.trim();
    };
    const ask = (query: string) => run(`psql -XAtc "${query}"`);
    const settings = [
      findBlock('archive_mode'),
      `port = ${port}`,
      "listen_addresses = '127.0.0.1'",
      "unix_socket_directories = ''",
    ];
    await run(`initdb --username=errand --auth=trust --no-sync >/dev/null
cat >> "$PGDATA/postgresql.conf" <<'END'
${settings.join('\n')}
END
pg_ctl start`);
    const service = { env: { ERRAND_DATABASE_URL: `postgresql://errand@127.0.0.1:${port}/postgres`, ERRAND_RATE_LIMITS: 'off' } };
    const create = async (client: ServiceClient, count: number) => {
      const made = Array.from({ length: count }, () => client.ask('task.create', { message: { content: 'say hello' } }));
      return (await Promise.all(made)).map((answer) => answer['task_id']);
    };
    try {
      let moment = '';
      const [before, after]: unknown[][] = [[], []];
      {
        await using running = await ServiceProcess.start(service);
        const client = new ServiceClient(running);
        before?.push(...(await create(client, 5)));
        await run(findBlock('pg_basebackup'));
        before?.push(...(await create(client, 20)));
        moment = await ask('SELECT clock_timestamp()');
        after?.push(...(await create(client, 10)));
        // As archive_timeout does after a minute.
        const segment = await ask('SELECT pg_walfile_name(pg_switch_wal())');
        await eventually('the copy of the log', async () =>
          (await ask('SELECT last_archived_wal FROM pg_stat_archiver')) >= segment ? true : null,
        );
        await running.kill();
      }
      const restore = async (at: string) => {
        await run('pg_ctl -m immediate stop >stopped && rm -rf "$PGDATA.before"');
        const base = readdirSync(backups).find((name) => name.startsWith('base-')) ?? '';
        await run(findBlock('export AT').replace(/AT='[^']*' BASE=\S+/, `AT='${at}' BASE=/mnt/backup/${base}`));
        await eventually('a server that has recovered', async () =>
          (await ask('SELECT pg_is_in_recovery()')) === 'f' ? true : null,
        );
      };
      const find = async (client: ServiceClient, ids: unknown[] = []) =>
        (await Promise.all(ids.map((id) => client.call('task.detail', { task_id: id })))).map(({ status }) => status);
      await restore(moment);
      let next: unknown[] = [];
      {
        await using restored = await ServiceProcess.start(service);
        const client = new ServiceClient(restored);
        expect(await find(client, before)).toEqual((before ?? []).map(() => 200));
        expect(await find(client, after)).toEqual((after ?? []).map(() => 404));
        next = await create(client, 1);
        await eventually('a task after the restore', async () => {
          const { task } = (await client.ask('task.detail', { task_id: next[0] })) as { task: { status: string } };
          return task.status === 'stopped' ? true : null;
        });
        await restored.kill();
      }
      // Its log has not been copied: it is in the old folder alone.
      await restore('');
      await using again = await ServiceProcess.start(service);
      expect(await find(new ServiceClient(again), [...(before ?? []), ...next])).toEqual(
        [...(before ?? []), ...next].map(() => 200),
      );
    } finally {
      await run('pg_ctl -m immediate stop >stopped 2>&1 || true');
    }
  },
);
