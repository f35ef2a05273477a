import { LocalBroadcast } from '@errand/base/signals/broadcast.ts';
import { expect, it } from 'vitest';
import { browserTopic, readViewerMessage, type ViewerMessage, viewersTopic } from '../../src/rules/browser/live-browser.ts';
import { addSession } from '../support/accounts/web-session.ts';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { EventReader } from '../support/http/sse-reader.ts';

const view = 'a-view-of-the-page';

describeStores('task.watchBrowser and task.driveBrowser', (store) => {
  it('carry who drives and the newest picture to the owner, and what the owner does to the worker', async () => {
    const channel = new LocalBroadcast();
    await using api = await ApiUnderTest.start(store.database, { channel });
    const { headers } = await addSession(store.database, api.owner.accountId);
    const taskId = await api.createTask('x');
    const received: (ViewerMessage | null)[] = [];
    channel.subscribe(viewersTopic(taskId), (text) => received.push(readViewerMessage(text)));
    const as = { key: null, headers: { ...headers, 'content-type': 'application/json' } };
    const reader = await EventReader.open(api, { task_id: taskId, view_id: view }, as, '/web/task.watchBrowser');
    const viewer = `${api.owner.accountId}:${view}`;
    await expect.poll(() => received).toEqual([{ kind: 'watch', viewer }]);
    const say = (message: Json) =>
      channel.publish(browserTopic(taskId), JSON.stringify({ isOpen: true, isHeld: true, ...message }));
    const next = async () => {
      for (;;) {
        const message = await reader.next();
        if (message?.kind !== 'comment') return message;
      }
    };
    const picture = { data: 'aaaa', width: 1280, height: 800 };
    say({ holder: null, picture });
    expect(await next()).toMatchObject({ kind: 'browser', data: { driver: 'agent', picture: 'aaaa', width: 1280 } });
    say({ holder: 'somebody' });
    expect(await next()).toMatchObject({ data: { driver: 'person', picture: null, width: 1280 } });
    // What is no message is none.
    channel.publish(browserTopic(taskId), '{"isOpen":1}');
    say({ holder: viewer });
    expect(await next()).toMatchObject({ data: { driver: 'you', is_ready: true } });
    const drive = async (body: Json, more = as) => {
      const init = { method: 'POST', body: JSON.stringify({ task_id: taskId, view_id: view, ...body }) };
      return (await api.fetch('/web/task.driveBrowser', init, more)).status;
    };
    expect(await drive({ action: 'input', inputs: [{ do: 'type', text: 'words' }] })).toBe(200);
    expect(received.at(-1)).toEqual({ kind: 'input', viewer, inputs: [{ do: 'type', text: 'words' }] });
    for (const wrong of [
      { action: 'input' },
      { action: 'take', inputs: [{ do: 'press', keys: 'Enter' }] },
      { action: 'input', inputs: [{ do: 'press', keys: 'rm -rf' }] },
      { action: 'input', inputs: [{ do: 'open', url: 'file:///etc/passwd' }] },
      { action: 'take', view_id: 'x y' },
    ]) {
      expect([wrong, await drive(wrong)]).toEqual([wrong, 400]);
    }
    const stranger = await addSession(store.database, (await addOwner(store.database)).accountId);
    expect(await drive({ action: 'take' }, { key: null, headers: { ...as.headers, ...stranger.headers } })).toBe(404);
    reader.leave();
    await expect.poll(() => received.at(-1)).toEqual({ kind: 'leave', viewer });
  });
});
