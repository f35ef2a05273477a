import fc from 'fast-check';
import { artifactList } from '../../../src/api/artifacts/artifact.list.ts';
import { Fault } from '@errand/base/fault.ts';
import { newId } from '@errand/base/ids.ts';
import { createContext } from '../../../src/http/operations/request-context.ts';
import type { Database } from '../../../src/store/db/database.ts';
import type { RowValues, SqlValue } from '../../../src/store/db/store-operation.ts';
import { insertArtifact, type SampleArtifact } from './artifact-samples.ts';
import { commands } from './library-commands.ts';
import { type Model, questions, type Real } from './library-model.ts';
import { nextMs } from '../db/store-samples.ts';

type Query = (text: string, ...params: SqlValue[]) => Promise<RowValues[]> | RowValues[];

function connect(database: Database, query: Query, accountId: string): Real {
  const urls = { task: () => '', share: () => '', file: () => 'url' };
  const parts = { database, handlerServices: { families: ['service'], urls } } as unknown as Parameters<typeof createContext>[0];
  const via = { kind: 'api_key', keyId: 'k', scope: 'everything' } as const;
  const caller = {
    principal: { accountId, plan: 'pro', locale: 'en', via },
    family: 'service',
    credential: 'key',
    isStillValid: () => Promise.resolve(true),
  } as const;
  return {
    async ask(question, cursor, now) {
      const input = { ...questions[question]?.input, ...(cursor !== null && { cursor }) };
      try {
        const answer = await artifactList.answer(input, createContext(parts, caller, now, null, new AbortController()));
        const { data, next_cursor = null } = answer as { data: { id: string }[]; next_cursor?: string };
        return { ids: data.map(({ id }) => id), cursor: next_cursor, position: null };
      } catch (error) {
        if (error instanceof Fault) return error.code;
        throw error;
      }
    },
    insert: (changes) => insertArtifact(query, accountId, changes),
    async remove(id) {
      await query('DELETE FROM artifacts WHERE account_id = ? AND id = ?', accountId, id);
    },
  };
}

/**
 * Lets callers read, replay, wait and cheat while the library changes, and checks every response against the model. Returns how many pages
 * were checked.
 */
export async function checkListCursors(database: Database, query: Query, numRuns: number): Promise<number> {
  let pages = 0;
  const fill = async (real: Real): Promise<SampleArtifact[]> => {
    const library: SampleArtifact[] = [];
    const names = ['report.pdf', 'scene.png', 'tree.jpg', 'report.md', 'data.csv', 'scene.png', 'report.txt', 'x.zip'];
    for (const filename of [...names, ...names]) library.push(await real.insert({ filename, apiKeyId: 'k1' }));
    return library;
  };
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 60, size: 'max' }), async (plan) => {
      const real = connect(database, query, newId(nextMs()));
      const model: Model = { library: await fill(real), listCursors: [], now: 1_000_000, uses: 0 };
      await fc.asyncModelRun(() => ({ model, real }), plan);
      pages += model.uses;
    }),
    { numRuns },
  );
  return pages;
}
