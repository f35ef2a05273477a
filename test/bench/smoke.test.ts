import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Child } from '../support/process/child.ts';
import { compiledCode } from '../support/process/compiled-code.ts';
import { createDatabase, dropDatabase } from '../support/db/postgres.ts';

interface Report {
  commit: string;
  figures: { name: string; database: string; value: number; http?: number; bare?: number }[];
}

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const rates = ['task.create', 'task.sendMessage', 'task.detail', 'task.listMessages'];
const endToEnd = ['end to end, offline-1', 'end to end, model over HTTP', 'end to end, two calls and a tool'];

const costs = ['offline-1', 'model over HTTP', 'two calls and a tool'].flatMap((kind) =>
  ['allocated by a task', 'statements of a task', 'CPU of a task'].map((name) => `${name}, ${kind}`),
);

const tracing = ['offline-1', 'model over HTTP', 'two calls and a tool'].flatMap((kind) =>
  ['tracing off, part of CPU', 'CPU with traces exported'].map((name) => `${name}, ${kind}`),
);

/** In which small operations are measured. */
const circumstances = [
  'alone',
  'beside busy loops',
  'beside memory bombs',
  'beside full disks',
  'beside many files',
  'beside many sockets',
  'beside searches',
  'beside held fetches',
  'beside occupied slots',
  'beside readers',
  'beside lists',
  'beside transfers',
  'beside downloads',
  'beside filters',
  'beside sign-ins',
  'beside forgeries',
  'beside archives',
  'beside documents',
];

/** What is measured of a store with the tasks of a year. */
const year = [
  'rows of a task',
  'workspace of a task',
  'workspace of a packed task',
  'create',
  'claim and run',
  'list, first page',
  'list, in the middle',
  'list, by status',
  'task.detail',
  'task.listMessages',
  'search, one hit',
  'search, all hits',
  'start after kill -9',
  'tasks deleted by retention',
  'requests beside retention, p99',
];

async function runBench(args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = await Child.start(process.execPath, ['bench/main.ts', ...args], { env: compiledCode, cwd: checkout });
  const { code } = await child.ended;
  const textOf = (from: string) => child.lines.flatMap(({ source, text }) => (source === from ? [text] : [])).join('\n');
  return { code, stdout: textOf('stdout'), stderr: textOf('stderr') };
}

async function takeQuickly(args: readonly string[]): Promise<Report> {
  const { code, stdout, stderr } = await runBench(['--quick', '--json', ...args]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Report;
}

describe('the bench', () => {
  it('takes every figure on the embedded database, and rates with their baselines', async () => {
    const { figures } = await takeQuickly(['--database', 'embedded']);
    expect(figures.map(({ name }) => name)).toEqual([
      ...rates,
      ...endToEnd,
      ...costs,
      'event to reader, p50',
      'event to reader, p99',
      'event to all readers, p50',
      'event to all readers, p99',
      'CPU of idle readers',
      'memory of an idle reader',
      'overhead per agent step',
      "a command's first output, p50",
      "a new task's first output, p50",
      'first outputs of new tasks at once',
      'map_rows over 10 rows',
      'late turn, same worker',
      'late turn, another worker',
      'late step of a run',
      'stop to model socket, p50',
      'stop to model socket, p99',
      'stop to receiver, p50',
      'webhook deliveries',
      'start on an empty store',
      'start on an existing store',
      'memory, idle',
      'memory, after load',
      'CPU of waiting tasks',
      'memory of a task with a slow model',
      'CPU of streaming replies',
      'CPU of 20 creations and reads a second',
      'check of an API key, warm',
      'check of an access token, warm',
      'revoked key refused everywhere, longest',
      'make a chart as PNG',
      'make 10 chapters as PDF',
      'make 10 chapters as docx',
      'make 10 slides as HTML',
      'make 10 slides as PPTX',
      'make 5,000 rows with formulas as xlsx',
      'main thread held up by making',
      'make a long report as PDF',
      'make a long report as Word',
      'make a deck as PowerPoint',
      'make a deck as PDF',
      'artifact.list, first page',
      'artifact.list, of a category',
      'artifact.list, search, many hits',
      'artifact.list, search, no hit',
      'artifact.list, next page',
      ...circumstances.flatMap((one) => [
        ...['create', 'read', 'command'].map((operation) => `${operation}, ${one}, p99`),
        `failures, ${one}`,
      ]),
      'lag of scheduled runs, p99',
      'CPU of schedules that are not due',
      ...tracing,
      ...year.map((name) => `a year: ${name}`),
    ]);
    expect(figures.filter(({ name, value }) => name.startsWith('failures, ') && value > 0)).toEqual([]);
    for (const figure of figures.filter(({ name }) => [...rates, ...endToEnd].includes(name))) {
      const { value, http = 0, bare = 0 } = figure;
      expect(Math.min(value, http, bare), JSON.stringify(figure)).toBeGreaterThan(0);
    }
  });

  it('takes the figures that differ on PostgreSQL, also with two processes', async () => {
    const url = await createDatabase();
    try {
      const { figures } = await takeQuickly(['create', 'costs', 'stream', 'stop', '--database', 'postgres', '--postgres', url]);
      expect(new Set(figures.map(({ database }) => database))).toEqual(new Set(['postgres']));
      expect(figures.every(({ value }) => value > 0)).toBe(true);
      expect(figures.map(({ name }) => name)).toContain('stop to model socket, p99');
    } finally {
      await dropDatabase(url);
    }
  });

  it('explains its usage when asked for an unknown measure', async () => {
    const { code, stderr } = await runBench(['nonsense']);
    expect(code).toBe(64);
    expect(stderr).toMatch(/there is no measure nonsense[\s\S]*create +tasks accepted/);
  });
});
