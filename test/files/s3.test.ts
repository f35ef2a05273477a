import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isEnd, type Json, ServiceClient } from '../support/service/service-client.ts';
import { LocalService } from '../support/service/local-service.ts';
import { isSwiftInstalled, SwiftServer } from '../support/files/swift.ts';

const bucket = 'errand';

describe.runIf(isSwiftInstalled)("a service that stores its files in a bucket of Debian's Swift", () => {
  let server: SwiftServer;
  let service: LocalService;
  beforeAll(async () => {
    server = await SwiftServer.start();
    const { endpoint, region, accessKeyId, secretAccessKey } = await server.createBucket(bucket);
    const blobs = `s3://${bucket}?endpoint=${endpoint}&region=${region}`;
    service = await LocalService.start({
      env: { ERRAND_BLOBS: blobs, ERRAND_S3_ACCESS_KEY_ID: accessKeyId, ERRAND_S3_SECRET_ACCESS_KEY: secretAccessKey },
    });
  });
  afterAll(async () => {
    await service.end();
    await server.end();
  });

  it('stores an upload, gives it to the agent, serves it, and deletes it with the task', async () => {
    const client = new ServiceClient(service);
    const { file, upload_url: url } = (await client.ask('file.upload', { filename: 'notes.txt' })) as {
      file: Json;
      upload_url: string;
    };
    expect((await fetch(url, { method: 'PUT', body: 'kept in a bucket' })).status).toBe(200);
    const content = [
      { type: 'text', text: 'read attachments/notes.txt' },
      { type: 'file', file_id: file.id },
    ];
    const taskId = String((await client.ask('task.create', { message: { content } })).task_id);
    const events = await client.follow(taskId, isEnd);
    expect(JSON.stringify(events.find(({ type }) => type === 'tool_used'))).toContain('kept in a bucket');
    const message = events.find(({ type }) => type === 'user_message')?.user_message as { attachments: { url: string }[] };
    const [attachment] = message.attachments;
    const part = await fetch(attachment?.url ?? '', { headers: { range: 'bytes=0-3' } });
    expect([part.status, await part.text()]).toEqual([206, 'kept']);
    expect(await server.list(bucket)).toHaveLength(1);
    await client.ask('file.delete', { file_id: file.id });
    await client.ask('task.delete', { task_id: taskId });
    await expect.poll(() => server.list(bucket)).toEqual([]);
  });

  it('answers 503 while the bucket is unavailable', async () => {
    const client = new ServiceClient(service);
    const { upload_url: url } = (await client.ask('file.upload', { filename: 'late.txt' })) as { upload_url: string };
    await server.end();
    const refused = await fetch(url, { method: 'PUT', body: 'x' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    const content = [{ type: 'file', filename: 'a.txt', file_data: 'data:text/plain;base64,eA==' }];
    expect((await client.call('task.create', { message: { content } })).status).toBe(503);
    expect((await client.call('task.create', { message: { content: 'say hello' } })).status).toBe(200);
  });
});
