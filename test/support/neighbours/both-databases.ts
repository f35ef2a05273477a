import { afterAll, beforeAll, describe } from 'vitest';
import { createMigratedDatabase, dropDatabase } from '../db/postgres.ts';
import { LocalService } from '../service/local-service.ts';
import { Stage, type StageOptions, stageSettings } from './stage.ts';

/** A service with its two accounts, there while the tests of its suite run. */
export interface Tenancy {
  readonly service: LocalService;
  readonly stage: Stage;
}

export interface TenancyOptions extends Pick<StageOptions, 'messages'> {
  /** Settings beside those of every service under attack. */
  env?: Record<string, string>;
}

interface OpenTenancy extends Tenancy {
  close(): Promise<void>;
}

async function open(engine: string, { env, messages }: TenancyOptions): Promise<OpenTenancy> {
  const databaseUrl = engine === 'postgres' ? await createMigratedDatabase() : undefined;
  const database = databaseUrl !== undefined && { ERRAND_DATABASE_URL: databaseUrl };
  const service = await LocalService.start({ env: { ...stageSettings, ...env, ...database } });
  const stage = await Stage.open(service, { databaseUrl, strength: 2, messages });
  const close = async () => {
    await stage[Symbol.asyncDispose]();
    await service.end();
    if (databaseUrl !== undefined) await dropDatabase(databaseUrl);
  };
  return { service, stage, close };
}

/** Runs the same tests with a hostile account and a measured one on both databases, each suite on a service of its own. */
export function describeTenants(name: string, options: TenancyOptions, suite: (tenancy: Tenancy) => void): void {
  describe.each(['sqlite', 'postgres'])(`on %s, ${name}`, (engine) => {
    let opened: OpenTenancy | undefined;
    const tenancy = new Proxy({} as Tenancy, { get: (_, property) => Reflect.get(opened ?? {}, property) as unknown });
    beforeAll(async () => {
      opened = await open(engine, options);
    });
    afterAll(() => opened?.close());
    suite(tenancy);
  });
}
