import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Conversation } from './conversation.tsx';
import { emptyLog, type TaskLog } from './task-log.ts';

const said: TaskLog['events'] = [
  { id: '1', type: 'assistant_message', timestamp: 1, assistant_message: { content: 'Which color?', attachments: [] } },
];
const render = (log: Partial<TaskLog>) => renderToStaticMarkup(createElement(Conversation, { ...emptyLog, ...log }));
/** The part that screen readers read out as it grows. */
const logOf = (markup: string) => /<div role="log">(.*?)<\/div>/s.exec(markup)?.[1] ?? '';

describe('the conversation of a task', () => {
  it('is a list in a log', () => {
    expect(logOf(render({ events: said }))).toMatch(/^<ol class="errand-messages"><li .*Which color\?.*<\/li><\/ol>$/);
  });

  it('has the reply that is being written outside the log', () => {
    const markup = render({ events: said, draft: 'Hel' });
    expect(markup).toMatch(/<ol class="errand-messages errand-draft"><li .*Hel<\/p><\/li><\/ol>$/);
    expect(logOf(markup)).not.toContain('Hel');
  });

  it('has a question once', () => {
    expect(render({ question: 'Which color?' }).split('Which color?')).toHaveLength(2);
    expect(render({ events: said, question: 'Which color?' }).split('Which color?')).toHaveLength(2);
  });
});
