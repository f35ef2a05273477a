import assert from 'node:assert/strict';
import type { SampleArtifact } from './artifact-samples.ts';

export const minuteMs = 60_000;

/** A query besides the cursor, and its meaning. */
export const questions: { input: Record<string, string>; matches: (artifact: SampleArtifact) => boolean; limit: number }[] = [
  { input: { limit: '2' }, matches: () => true, limit: 2 },
  { input: { limit: '3' }, matches: () => true, limit: 3 },
  { input: { type: 'documents', limit: '2' }, matches: ({ type }) => type === 'documents', limit: 2 },
  { input: { query: 'REPORT', limit: '2' }, matches: ({ filename }) => filename.includes('report'), limit: 2 },
  {
    input: { query: 'e', type: 'images', api_key_id: 'k1', limit: '1' },
    matches: ({ filename, type, apiKeyId }) => filename.includes('e') && type === 'images' && apiKeyId === 'k1',
    limit: 1,
  },
];

export interface Page {
  ids: string[];
  cursor: string | null;
  position: string | null;
}

/** A cursor as promised to clients (docs/reference/api.md#artifact-list), with its full history. */
export interface ListCursorModel {
  question: number;
  startedAt: number;
  usedAt: number;
  /** Numbers the uses of all cursors, to know the least recently used one. */
  use: number;
  pages: Page[];
  /** Everything it has returned, to detect repeats. */
  shown: Map<string, number>;
  shownResources: Map<string, number>;
  isEvicted: boolean;
}

export interface Model {
  library: SampleArtifact[];
  listCursors: ListCursorModel[];
  now: number;
  /** How many pages were checked; also numbers the uses of cursors. */
  uses: number;
}

export interface Real {
  ask(question: number, cursor: string | null, now: number): Promise<Page | string>;
  insert(changes: Partial<SampleArtifact>): Promise<SampleArtifact>;
  remove(id: string): Promise<void>;
}

/** The current artifacts, newest first. */
function current({ library }: Model, question: number): SampleArtifact[] {
  return library.filter((artifact) => questions[question]?.matches(artifact) ?? false).toSorted((a, b) => (a.id < b.id ? 1 : -1));
}

/** The expected page after `position`: at most `limit` existing items, each resource once per list. */
export function expectPage(model: Model, question: number, position: string | null, shown: ReadonlyMap<string, number>): Page {
  const limit = questions[question]?.limit ?? 0;
  const rest = current(model, question).filter(({ id }) => position === null || id < position);
  const seen = new Set(shown.keys());
  const ids = rest.slice(0, limit).flatMap(({ id, resourceUri }) => {
    if (resourceUri !== null && seen.has(resourceUri)) return [];
    if (resourceUri !== null) seen.add(resourceUri);
    return [id];
  });
  return { ids, cursor: null, position: rest.length > limit ? (rest[limit - 1]?.id ?? null) : null };
}

export function evict(model: Model): void {
  const isAlive = ({ isEvicted, startedAt, usedAt }: ListCursorModel) =>
    !isEvicted && model.now - usedAt < 5 * minuteMs && model.now - startedAt < 15 * minuteMs;
  const alive = model.listCursors.filter(isAlive).toSorted((a, b) => b.use - a.use);
  for (const listCursor of alive.slice(32)) listCursor.isEvicted = true;
}

/** Compares a response with the expected one and records it. */
export function take(model: Model, listCursor: ListCursorModel, number: number, wanted: Page, answer: Page | string): void {
  if (typeof answer === 'string') throw new Error(`refused: ${answer}`);
  assert.deepEqual(answer.ids, wanted.ids);
  assert.equal(answer.cursor !== null, wanted.position !== null);
  for (const id of answer.ids) {
    assert.equal(listCursor.shown.get(id) ?? number, number);
    listCursor.shown.set(id, number);
    const uri = model.library.find((artifact) => artifact.id === id)?.resourceUri ?? null;
    if (uri === null) continue;
    assert.equal(listCursor.shownResources.get(uri) ?? number, number);
    listCursor.shownResources.set(uri, number);
  }
  listCursor.pages[number - 1] = { ids: answer.ids, cursor: answer.cursor, position: wanted.position };
  listCursor.usedAt = model.now;
  model.uses += 1;
  listCursor.use = model.uses;
}
