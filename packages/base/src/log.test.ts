import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Fault } from './fault.ts';
import { createLog, logLevels } from './log.ts';

function openLog(level = 'info') {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return { log: createLog(level, destination), lines };
}

describe('createLog', () => {
  it('writes one JSON object per line, with level and time as text', () => {
    const { log, lines } = openLog();
    log.info({ task_id: 't1' }, 'started');
    log.debug('not at this level');
    expect(lines).toHaveLength(1);
    const { time, ...rest } = JSON.parse(lines[0] ?? '') as Record<string, string>;
    expect(rest).toEqual({ level: 'info', task_id: 't1', msg: 'started' });
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('never lets user input start a new line', () => {
    const { log, lines } = openLog();
    const hostile = 'a\r\n{"level":"info","msg":"forged"}\u0000\u001b[2J\u2028\n';
    log.warn({ title: hostile, [hostile]: 1, err: new Error(hostile) }, hostile);
    expect(lines).toHaveLength(1);
    const controls = (lines[0]?.trimEnd() ?? '').split('').filter((char) => char < ' ');
    expect(controls).toEqual([]);
    expect((JSON.parse(lines[0] ?? '') as { title: string }).title).toBe(hostile);
  });

  it.each([
    ['a credential', (secret: string) => ({ api_key: secret })],
    ['a nested credential', (secret: string) => ({ request: { api_key: secret } })],
    ['the OAuth header', (secret: string) => ({ headers: { authorization: secret } })],
    ['the API key header', (secret: string) => ({ headers: { 'x-service-api-key': secret } })],
    ['an alias of the API key header', (secret: string) => ({ headers: { 'x-manus-api-key': secret } })],
    ['the v1 header', (secret: string) => ({ headers: { api_key: secret } })],
    ['request headers', (secret: string) => ({ req: { headers: { authorization: secret, 'x-service-api-key': secret } } })],
  ])('hides %s', (_, wrap) => {
    const { log, lines } = openLog();
    log.info(wrap('sk-canary'), 'request');
    expect(lines.join('')).not.toContain('sk-canary');
    expect(lines.join('')).toContain('[hidden]');
  });

  it('includes details of a fault that callers do not see', () => {
    const { log, lines } = openLog();
    log.error({ err: new Fault('internal', 'Sorry.', { detail: 'row 7', cause: new Error('deep cause') }) }, 'failed');
    expect(lines[0]).toContain('row 7');
    expect(lines[0]).toContain('deep cause');
  });

  it.each(logLevels.filter((level) => level !== 'silent'))('writes entries of level %s and above', (level) => {
    const { log, lines } = openLog(level);
    const grades = ['debug', 'info', 'warn', 'error'] as const;
    for (const grade of grades) log[grade]('x');
    const expected = grades.filter((grade) => logLevels.indexOf(grade) >= logLevels.indexOf(level));
    expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(expected);
  });
});
