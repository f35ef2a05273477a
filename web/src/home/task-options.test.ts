import { describe, expect, it } from 'vitest';
import { checkSchema, defaultOptions, toTaskRequest } from './task-options.ts';

const say = (content: string) => ({ content, attachments: [] });

describe('the request for a new task', () => {
  it('contains only the chosen options, and that the agent can ask questions', () => {
    expect(toTaskRequest(say('hello'), defaultOptions)).toEqual({
      message: { content: 'hello' },
      agent_profile: 'service-1.6',
      interactive_mode: true,
      share_visibility: 'private',
    });
  });

  it('contains files, connectors, skills, project and schema', () => {
    const options = { ...defaultOptions, projectId: 'p', connectors: ['c'], skills: ['s'], schema: '{"type":"object"}' };
    expect(toTaskRequest({ content: '', attachments: [{ fileId: 'f', filename: 'a.csv' }] }, options)).toMatchObject({
      message: { content: [{ type: 'file', file_id: 'f', filename: 'a.csv' }], connectors: ['c'], force_skills: ['s'] },
      project_id: 'p',
      structured_output_schema: { type: 'object' },
    });
  });

  it('removes all connectors if none of those offered is chosen', () => {
    expect(toTaskRequest(say('x'), { ...defaultOptions, connectors: [] }).message.connectors).toEqual([]);
  });
});

describe('the text of a schema', () => {
  it.each([
    ['', null],
    ['  ', null],
    ['{"type":"object"}', null],
    ['{"type":', 'notJson'],
    ['[]', 'notObject'],
    ['7', 'notObject'],
    ['null', 'notObject'],
  ])('%j is %j', (text, problem) => {
    expect(checkSchema(text)).toBe(problem);
  });
});
