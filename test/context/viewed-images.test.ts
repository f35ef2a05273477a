import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Deployment, LocalDeployment, type Shape } from '../support/service/deployment.ts';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { isEnd } from '../support/service/service-client.ts';

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.stop());

const chart = { path: 'a.png', type: 'bar', title: 'Sales', labels: ['A', 'B'], series: [{ name: 'S', values: [1, 2] }] };
const pngStart = 'data:image/png;base64,iVBORw0KGgo';

/** Draws a chart, looks at it, and says that it is done; what the model was sent for each step. */
async function drawAndLook(shape: Shape, name: string): Promise<string[]> {
  await model.reset();
  const steps = [
    { calls: [{ tool: 'make_chart', input: chart }] },
    { calls: [{ tool: 'read_file', input: { path: 'a.png' } }] },
    { text: 'It looks right.' },
  ];
  await model.script([{ match: 'Draw it', steps }]);
  const options = { model, env: { ERRAND_MODEL: `compatible/${name}` } };
  await using service = await (shape === 'sqlite' ? LocalDeployment.start(shape, options) : Deployment.start(shape, options));
  const taskId = await service.client.createTask('Draw it.');
  await service.client.follow(taskId, isEnd);
  expect(await service.client.statusOf(taskId)).toBe('stopped');
  return (await model.calls()).filter(({ wire }) => wire === 'openai-chat').map(({ body }) => JSON.stringify(body));
}

describe.each<Shape>(['sqlite', 'api and two workers'])('a chart that the agent looks at, on %s', (shape) => {
  it('is shown to a model with vision, with the result of the call that made it and from then on', async () => {
    const [first, second, third] = await drawAndLook(shape, 'llava-mock');
    expect([first, second].map((body) => body?.includes('image_url'))).toEqual([false, true]);
    expect(third).toContain(pngStart);
    expect(third).toContain('png image, 1920 × 1080 pixels');
  });
});

it('a model without vision receives its size, and no picture is ever sent', async () => {
  const bodies = await drawAndLook('sqlite', 'blind-mock');
  expect(bodies.at(-1)).toContain('png image, 1920 × 1080 pixels');
  expect(bodies.at(-1)).toContain('You cannot see pictures');
  expect(bodies.join()).not.toMatch(/image_url|iVBORw0KGgo/);
});
