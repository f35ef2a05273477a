import { expect, it } from 'vitest';
import type { TaskFile } from '../conversation/row.ts';
import { listDeliverables, newestDeliverable } from './deliverables.ts';

const file = (filename: string, atMs = 1, isFromAgent = true): TaskFile => ({
  attachment: { type: 'file', filename, url: `/f/${filename}`, content_type: '' },
  isFromAgent,
  atMs,
  eventId: `e${atMs}`,
});

const shown = (files: TaskFile[]) =>
  listDeliverables(files).map(({ name, forms }) => [name, forms.map(({ filename }) => filename)]);

it('joins the formats of one document, with the one that shows best first, and nothing else', () => {
  const files = ['report.md', 'report.docx', 'report.pdf', 'report.csv', 'report.png', 'Makefile', 'v1.2.pdf', 'a/report.md'];
  expect(shown(files.map((name) => file(name)))).toEqual([
    ['report', ['report.pdf', 'report.docx', 'report.md']],
    ['report.csv', ['report.csv']],
    ['report.png', ['report.png']],
    ['Makefile', ['Makefile']],
    ['v1.2.pdf', ['v1.2.pdf']],
    ['a/report.md', ['a/report.md']],
  ]);
});

it('leaves out what the agent was given, and names the newest delivery', () => {
  const files = [
    file('given.pdf', 9, false),
    file('first.pdf', 1),
    file('second.md', 3),
    file('third.md', 3),
    file('first.md', 2),
  ];
  const deliverables = listDeliverables(files);
  expect(deliverables.map(({ name, atMs, eventId }) => [name, atMs, eventId])).toEqual([
    ['first', 2, 'e2'],
    ['second.md', 3, 'e3'],
    ['third.md', 3, 'e3'],
  ]);
  expect(newestDeliverable(deliverables)?.name).toBe('second.md');
  expect(newestDeliverable([])).toBeUndefined();
});
