import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LocalService } from '../support/service/local-service.ts';
import { ServiceClient } from '../support/service/service-client.ts';

/** The row of the page about tests that begins with these words, as a message. */
function messageFor(outcome: string): string {
  const page = readFileSync(new URL('../../docs/build/testing.md', import.meta.url), 'utf8');
  const row = page.split('\n').find((line) => line.startsWith(`| ${outcome}`));
  const lines = [...(row?.split('|')[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, line = '']) => line);
  if (lines.length === 0) throw new Error(`the page has no message for ${outcome}`);
  return lines.join('\n');
}

it('every message of the page about tests has the outcome that stands beside it', async () => {
  await using service = await LocalService.start();
  const client = new ServiceClient(service);
  const play = async (outcome: string) => {
    const { task_id } = await client.ask('task.create', { message: { content: messageFor(outcome) } });
    const stream = await fetch(`${service.url}/v2/task.stream?task_id=${task_id as string}&verbose=true`, {
      headers: { 'x-service-api-key': service.apiKey },
    });
    let text = '';
    for await (const chunk of stream.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (/"agent_status":"(stopped|waiting|error)"/.test(text)) break;
    }
    return text;
  };
  expect(await play('an answer')).toContain('"Hello"');
  expect(await play('a file')).toContain('report.md');
  expect(await play('a question')).toContain('Which color?');
  const limited = await play('an overloaded model');
  expect([limited.split('"type":"model_waiting"').length > 1, limited.includes('"done"')]).toEqual([true, true]);
  expect(await play('a model that fails')).toContain('No credit left');
  expect(await play('a tool that fails')).toMatch(/Failed: read missing\.txt/);
  expect(await play('any tool')).toContain('called update_plan');
  expect(await play('text that arrives in pieces')).toContain('One word after the other');
});
