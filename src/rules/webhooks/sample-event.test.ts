import { describe, expect, it } from 'vitest';
import { sampleEvent, sampleEventTypes } from './sample-event.ts';

describe('a sample event', () => {
  it.each(sampleEventTypes)('%s has the type, an event id of its own, and the body of a real one', (type) => {
    const { eventType, eventId, body } = sampleEvent(type, 'T1', 'https://errand.example.com');
    expect(eventType).toBe(type);
    expect(JSON.parse(body)).toMatchObject({ event_id: eventId, event_type: type });
    expect(sampleEvent(type, 'T2', 'https://errand.example.com').eventId).not.toBe(eventId);
  });

  it('of an end has what a receiver reads of one', () => {
    const { body } = sampleEvent('task_stopped', 'T1', 'https://errand.example.com');
    expect(JSON.parse(body)).toEqual({
      event_id: 'task_stopped_T1_1',
      event_type: 'task_stopped',
      task_detail: {
        task_id: 'T1',
        task_title: 'Sample task',
        task_url: 'https://errand.example.com/app/T1',
        message: 'This is a sample event.',
        attachments: [],
        stop_reason: 'finish',
        stopped_by: 'agent',
      },
    });
  });
});
