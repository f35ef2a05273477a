import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = path.join(import.meta.dirname, '../../examples');
const home = readFileSync(path.join(import.meta.dirname, '../home/examples.tsx'), 'utf8');
const names = [...home.matchAll(/name: '([\w-]+)'/g)].map(([, name = '']) => name);

/** What browsers do not run when the application's own origin serves it. */
const harmless = /^[\w-]+\.(csv|docx|md|pdf|png|pptx|txt|xlsx)$/;
const mostBytes = 500_000;

interface Recorded {
  type: string;
  [payload: string]: unknown;
}

function readRun(name: string): { title: string; messages: Recorded[] } {
  return JSON.parse(readFileSync(path.join(folder, name, 'run.json'), 'utf8')) as { title: string; messages: Recorded[] };
}

function listAttachments(messages: readonly Recorded[]): { filename: string; url: string }[] {
  return messages.flatMap(
    (event) => (event[event.type] as { attachments?: { filename: string; url: string }[] }).attachments ?? [],
  );
}

describe('recorded examples', () => {
  it('are those that the home page names', () => {
    expect(names.length).toBe(3);
    expect(readdirSync(folder).toSorted()).toEqual(names.toSorted());
  });

  it.each(names)('%s is a finished task with a plan, steps, and a result, whose files are all shipped', (name) => {
    const { title, messages } = readRun(name);
    expect(title).not.toBe('');
    const types = new Set(messages.map(({ type }) => type));
    for (const type of ['user_message', 'plan_update', 'tool_used', 'assistant_message']) expect(types).toContain(type);
    expect(messages.at(-1)).toMatchObject({ type: 'status_update', status_update: { agent_status: 'stopped' } });
    const attachments = listAttachments(messages);
    expect(attachments.length).toBeGreaterThan(1);
    expect(attachments.map(({ url }) => url)).toEqual(attachments.map(({ filename }) => filename));
    const shipped = readdirSync(path.join(folder, name, 'files'));
    expect(shipped.toSorted()).toEqual([...new Set(attachments.map(({ filename }) => filename))].toSorted());
  });

  it.each(names)('%s names no machine and no signed URL, and is small', (name) => {
    const run = readFileSync(path.join(folder, name, 'run.json'), 'utf8');
    expect(run).not.toMatch(/https?:|token=|localhost|\/home\/|\/tmp\//);
    const files = readdirSync(path.join(folder, name, 'files'));
    for (const file of files) expect(file).toMatch(harmless);
    const sizes = files.map((file) => readFileSync(path.join(folder, name, 'files', file)).length);
    expect(sizes.reduce((sum, size) => sum + size, run.length)).toBeLessThan(mostBytes);
  });
});
