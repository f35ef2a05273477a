import { describe, expect, it } from 'vitest';
import { startModelServer } from '../support/models/model-server.ts';
import { LocalDeployment } from '../support/service/deployment.ts';
import { isEnd } from '../support/service/service-client.ts';

describe.each(['sqlite', 'postgres'] as const)('the language of answers, on %s', (kind) => {
  it('is that of the message unless the task names one', async () => {
    const model = await startModelServer();
    await using deployment = await LocalDeployment.start(kind, {
      env: {
        ERRAND_MODEL: 'compatible/mock',
        ERRAND_MODEL_BASE_URL: model.openaiUrl,
        ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8',
      },
    });
    const { client } = deployment;
    const ask = async (content: string, fields: Record<string, unknown> = {}) => {
      const { task_id: taskId } = await client.ask('task.create', { message: { content }, ...fields });
      await client.follow(String(taskId), isEnd);
      const call = (await model.calls()).findLast(({ body }) => JSON.stringify(body).includes(content));
      return /- Write [^\\]*/.exec(JSON.stringify(call?.body))?.[0];
    };
    const ofMessage = "- Write in the language of the user's message; if unclear, in English.";
    expect(await ask('اكتب رسالة')).toBe(ofMessage);
    expect(await ask('Schreib etwas', { locale: 'en' })).toContain('in English (en), unless');
    expect(await ask('Écris', { locale: 'ja' })).toContain('in Japanese (ja), unless');
    await model.stop();
  });
});
