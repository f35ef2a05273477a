import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { connectThrough } from './connection.ts';
import { StreamRefused, type Transport, type WireReply, type WireRequest } from './transport.ts';

function answering(reply: WireReply, kind: Transport['kind'] = 'control') {
  const sent: WireRequest[] = [];
  const transport: Transport = {
    kind,
    async send(request) {
      sent.push(request);
      return reply;
    },
    async *stream() {
      if (reply.status !== 200) throw new StreamRefused(reply);
      yield new TextEncoder().encode(String(reply.body));
    },
    async close() {},
  };
  return { connection: connectThrough(transport), sent };
}

const created = { task_id: 't', task_title: 'T', task_url: 'http://x', share_visibility: 'private' };

describe('a call', () => {
  it('posts the input and returns the response without the envelope', async () => {
    const { connection, sent } = answering({ status: 200, body: { ok: true, request_id: 'req', ...created } });
    expect(await connection.call('task.create', { message: { content: 'x' }, title: undefined })).toEqual(created);
    expect(sent).toEqual([{ method: 'POST', path: '/v2/task.create', body: { message: { content: 'x' }, title: undefined } }]);
  });

  it('puts the parameters of a read into the query, without unset ones', async () => {
    const { connection, sent } = answering({ status: 200, body: { ok: true, data: [], has_more: false } });
    await connection.call('task.list', { limit: 5, cursor: undefined });
    expect(sent).toEqual([{ method: 'GET', path: '/v2/task.list', query: { limit: '5' } }]);
  });

  it('that is rejected fails with the code and message of the service', async () => {
    const { connection } = answering({
      status: 404,
      body: { ok: false, error: { code: 'not_found', message: 'task not found' } },
    });
    await expect(connection.call('task.stop', {})).rejects.toMatchObject({ code: 'not_found', message: 'task not found' });
  });

  it.each<WireReply>([
    { status: 200, body: undefined },
    { status: 200, body: { hello: 'world' } },
    { status: 502, body: undefined },
    { status: 404, body: [] },
  ])('to something that is not a service reports that: %j', async (reply) => {
    await expect(answering(reply).connection.call('task.stop', {})).rejects.toThrow('is not an Errand service');
  });

  it('reports an unknown response', async () => {
    const { connection } = answering({ status: 200, body: { ok: true, task_id: 5 } });
    await expect(connection.call('task.create', {})).rejects.toThrow('does not understand the answer to task.create');
  });

  it('of an operator is never sent with an API key', async () => {
    const { connection, sent } = answering({ status: 200, body: { ok: true } }, 'remote');
    await expect(connection.call('key.list')).rejects.toThrow('remote clients may not do this');
    expect(sent).toEqual([]);
  });
});

describe('a stream', () => {
  it('yields events and deltas, and skips unknown ones', async () => {
    const body = [
      'id: 1\ndata: {"id":"1","type":"user_stop","timestamp":1,"user_stop":{}}',
      'event: delta\ndata: {"step":1,"attempt":1,"text":"Hel"}',
      'event: delta\ndata: {"step":"one"}',
      'event: output\ndata: {"action_id":"c1","tool":"run_shell","at":0,"text":"a"}',
      'event: output\ndata: {"action_id":1}',
      'data: no JSON',
      'data: {"type":"unheard of"}',
    ];
    const { connection } = answering({ status: 200, body: `${body.join('\n\n')}\n\n` });
    const items = await Readable.from(connection.stream('t', null, new AbortController().signal)).toArray();
    expect(items).toEqual([
      { kind: 'event', event: { id: '1', type: 'user_stop', timestamp: 1, user_stop: {} } },
      { kind: 'delta', step: 1, attempt: 1, text: 'Hel' },
      { kind: 'output', action_id: 'c1', text: 'a' },
    ]);
  });

  it('that is rejected, or ends with an error, fails with the message of the service', async () => {
    const refusal = { ok: false, error: { code: 'not_found', message: 'task not found' } };
    const { signal } = new AbortController();
    const refused = answering({ status: 404, body: refusal }).connection;
    await expect(Readable.from(refused.stream('t', null, signal)).toArray()).rejects.toThrow('task not found');
    const ended = answering({ status: 200, body: `event: error\ndata: ${JSON.stringify(refusal)}\n\n` }).connection;
    await expect(Readable.from(ended.stream('t', null, signal)).toArray()).rejects.toThrow('task not found');
  });
});
