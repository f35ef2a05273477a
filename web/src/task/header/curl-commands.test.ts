import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { curlCommands, quoteForShell } from './curl-commands.ts';

it('quotes any text as one argument that a shell hands on as it is', { timeout: 60_000 }, () => {
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

it('sends the message that began the task, and leaves the key to the environment', () => {
  const facts = {
    origin: 'http://localhost:7070',
    taskId: 't1',
    profile: 'service-1.6',
    firstMessage: "it's",
    isInteractive: true,
  };
  const { create } = curlCommands(facts);
  const curl = `curl() { while [ $# -gt 0 ]; do [ "$1" = -d ] && body=$2; printf '%s\\n' "$1"; shift; done; }; `;
  const { stdout } = spawnSync('sh', ['-c', curl + create], { encoding: 'utf8', env: { ERRAND_API_KEY: 'sk-1' } });
  expect(stdout).toContain('http://localhost:7070/v2/task.create');
  expect(stdout).toContain('x-service-api-key: sk-1');
  const body: unknown = JSON.parse(stdout.slice(stdout.indexOf('{')));
  expect(body).toEqual({ message: { content: "it's" }, agent_profile: 'service-1.6', interactive_mode: true });
  expect(create).not.toContain('sk-1');
});
