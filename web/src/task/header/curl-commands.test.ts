import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { quoteForShell } from '../../api/shell-quote.ts';
import { curlCommands } from './curl-commands.ts';

it('quotes any text as one argument that a shell passes on unchanged', () => {
  const anyText = fc.string({ unit: fc.constantFrom('a', "'", '"', '$', '`', '\\', '\n', ' ', '!', '*', ';', '&', '…') });
  fc.assert(
    fc.property(fc.array(anyText, { minLength: 1, maxLength: 20 }), (texts) => {
      const script = `printf '%s\\0' ${texts.map(quoteForShell).join(' ')}`;
      const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
      expect(stdout).toBe(texts.map((text) => `${text}\0`).join(''));
    }),
    { numRuns: 30 },
  );
});

const curl = `curl() { while [ $# -gt 0 ]; do printf '%s\\n' "$1"; shift; done; }; `;
const run = (script: string) =>
  spawnSync('sh', ['-c', curl + script], { encoding: 'utf8', env: { ERRAND_API_KEY: 'sk-1' } }).stdout;

it('sends the request that created the task, whatever its options, and reads the key from the environment', () => {
  const request = {
    message: { content: "it's", connectors: ['mail'], force_skills: ['charts'] },
    structured_output_schema: { type: 'object', properties: { sum: { type: 'number' } } },
    title: 'Sums',
  };
  const { uploads, create } = curlCommands({ origin: 'http://localhost:7070', taskId: 't1', request });
  const sent = run(create ?? '');
  expect(sent).toContain('http://localhost:7070/v2/task.create');
  expect(sent).toContain('x-service-api-key: sk-1');
  expect(JSON.parse(sent.slice(sent.indexOf('{')))).toEqual(request);
  expect(create).not.toContain('sk-1');
  expect(uploads).toEqual([]);
});

it('uploads the files of the message first', () => {
  const content = [
    { type: 'text', text: 'Add them up' },
    { type: 'file', file_id: '<id of file.upload>', filename: "May's sales.csv" },
  ];
  const { uploads } = curlCommands({ origin: 'http://localhost:7070', taskId: 't1', request: { message: { content } } });
  expect(uploads).toHaveLength(1);
  const sent = run(uploads[0] ?? '');
  expect(sent).toContain('http://localhost:7070/v2/file.upload');
  expect(sent).toContain(`{\n  "filename": "May's sales.csv"\n}`);
  expect(sent).toContain("--upload-file\nMay's sales.csv");
});

it('omits task creation if the original request is not available', () => {
  expect(curlCommands({ origin: 'http://localhost:7070', taskId: 't1', request: null }).create).toBeNull();
});
