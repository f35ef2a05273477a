import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startImageServer } from '../support/models/image-server.ts';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { LocalDeployment } from '../support/service/deployment.ts';
import { isEnd } from '../support/service/service-client.ts';

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.stop());

const picture = await sharp({ create: { width: 1536, height: 1024, channels: 3, background: '#08f' } })
  .png()
  .toBuffer();
const usage = { input: 0, output: 0 };
const made = { path: 'hero.jpg', prompt: 'A harbor at dawn' };

async function run(env: Record<string, string>) {
  await using service = await LocalDeployment.start('sqlite', { model, env });
  const { task_id: taskId } = await service.client.ask('task.create', { message: { content: 'Draw a harbor.' } });
  await service.client.follow(String(taskId), isEnd);
  const { messages } = (await service.client.ask('task.listMessages', { task_id: taskId, verbose: true })) as {
    messages: unknown[];
  };
  const credits = (await service.query('SELECT credits FROM usage_records WHERE task_id IS NOT NULL')).map((row) =>
    Number(row.credits),
  );
  return { messages: JSON.stringify(messages), credits, calls: (await model.calls()).map(({ body }) => JSON.stringify(body)) };
}

describe('a picture from words', () => {
  it('is made, shown to the model, delivered, and paid once', async () => {
    await using images = await startImageServer(() => ({ picture }));
    await model.reset();
    await model.script([
      {
        steps: [
          { calls: [{ tool: 'make_image', input: made }], usage },
          { calls: [{ tool: 'deliver', input: { files: [{ path: 'hero.jpg' }] } }], usage },
          { text: 'Here it is.', usage },
        ],
      },
    ]);
    const { messages, credits, calls } = await run({
      ...{
        ERRAND_IMAGE_MODEL: 'compatible/flux',
        ERRAND_IMAGE_BASE_URL: `${images.url}/v1`,
        ERRAND_IMAGE_PRICE: '4',
        ERRAND_MODEL_SEES: 'true',
      },
    });
    expect(images.calls).toHaveLength(1);
    expect(credits).toEqual([-4]);
    expect(messages).toMatch(/Made hero\.jpg/);
    expect(messages).toMatch(/"filename":"hero\.jpg"/);
    expect(calls[0]).toContain('make_image');
    // As PNG or JPEG in base64.
    expect(calls[1]).toMatch(/iVBORw0KGgo|\/9j\/4/);
  });

  it('is not offered where no image model is configured', async () => {
    await model.reset();
    await model.script([
      {
        steps: [
          { calls: [{ tool: 'make_image', input: made }], usage },
          { text: 'I cannot draw.', usage },
        ],
      },
    ]);
    const { messages, calls } = await run({ ERRAND_IMAGE_MODEL: 'none' });
    expect(calls[0]).not.toContain('make_image');
    expect(messages).toContain('No picture was made: no image model is configured.');
  });
});
