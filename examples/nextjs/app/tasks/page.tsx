'use client';

import { createErrand } from '@errand/client';
import { useState } from 'react';

interface Started {
  url: string;
  taskId: string;
  token: string;
}

/** A field for a task, and its reply as it is written. */
export default function TaskPage() {
  const [reply, setReply] = useState('');
  async function start(form: FormData) {
    setReply('');
    const body = JSON.stringify({ text: form.get('text'), userId: 'user-1' });
    const { url, taskId, token } = (await (await fetch('/api/errand', { method: 'POST', body })).json()) as Started;
    const errand = createErrand({ baseUrl: url, accessToken: token });
    for await (const item of errand.streamTask(taskId, { deltas: true })) {
      if (item.kind === 'delta') setReply((before) => before.slice(0, item.delta.at) + item.delta.text);
      if (item.kind === 'event' && item.event.type === 'assistant_message') setReply(item.event.assistant_message.content);
      if (item.kind === 'event' && item.event.type === 'status_update' && item.event.status_update.agent_status !== 'running')
        return;
    }
  }
  return (
    <form action={start}>
      <textarea name="text" required />
      <button type="submit">Start</button>
      <output>{reply}</output>
    </form>
  );
}
