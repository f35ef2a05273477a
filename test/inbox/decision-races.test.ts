import { expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { eventId, newId } from '@errand/base/ids.ts';
import { silentLog } from '@errand/base/log.ts';
import { ChatReceiver } from '../../src/bridges/chats/chat-receiver.ts';
import type { ChatPlatform } from '../../src/bridges/platform/chat-platform.ts';
import { mainTaskId } from '../../src/rules/agents/default-agent.ts';
import { createLinkCode, linkChat } from '../../src/store/bridges/bridge-chats.ts';
import { addSession } from '../support/accounts/web-session.ts';
import { describeStores } from '../support/db/databases.ts';
import { ApiUnderTest } from '../support/http/api-under-test.ts';
import { countRounds } from '../support/process/crash-run.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

/** How often the three race on each database. */
const rounds = Number(process.env['ERRAND_TEST_DECISION_ROUNDS'] ?? countRounds({ gate: 25, night: 1000, least: 25 }));

const main = 'agent-default-main_task';
const place = { platform: 'telegram' as const, bot: 'b1', chat: 'c1' };
const schema = { type: 'object', properties: { accept: { type: 'boolean' } }, required: ['accept'] };
const usage = { input: 1, output: 1, cached: 0 };

/** A bridge with one linked chat, whose platform keeps what it shows to who presses a button. */
async function openChat(api: ApiUnderTest): Promise<{ press(data: string, onAct: () => void): Promise<string> }> {
  const [now, { accountId }] = [Date.now(), api.owner];
  await api.database.run(createLinkCode, { accountId, digest: 'd', now, expiresAtMs: now + 60_000 });
  const chat = { ...place, digest: 'd', chatId: newId(now), person: 'u', title: 't', lastReceived: null, now };
  await api.database.run(linkChat, chat);
  const shown = new Map<string, string>();
  const unused = () => Promise.reject(new Error('nothing is sent'));
  const platform: ChatPlatform = {
    ...{ name: 'telegram', fileBytes: 0, identify: unused, listen: unused, cut: () => [], send: unused, sendFile: unused },
    ...{ decorate: unused, showWork: null, acknowledge: null },
    answerPress: async (callId, text) => void shown.set(callId, text),
  };
  let noticeAct = () => undefined as void;
  const receiver = new ChatReceiver({
    ...{ database: api.database, clock: systemClock, log: silentLog, platform, bot: place.bot },
    signal: new AbortController().signal,
    async act({ accountId: account, chatId, operation, body, idempotencyKey }) {
      const request = { path: `/v2/${operation}`, body, account, chatId, idempotencyKey };
      const acted = await api.http.inject({ method: 'POST', ...request });
      noticeAct();
      return acted;
    },
    ...{
      openFile: unused,
      linkTo: unused,
      findBaseUrl: () => Promise.resolve(null),
      expectOutcome: () => undefined,
      revive: () => undefined,
    },
  });
  let presses = 0;
  return {
    async press(data, onAct) {
      noticeAct = onAct;
      const callId = String((presses += 1));
      const about = { chat: place.chat, person: 'u', title: 't', language: null, place: null };
      await receiver.take({ ...about, id: callId, said: { kind: 'press', data, callId } });
      return shown.get(callId) ?? '';
    },
  };
}

describeStores('a decision that a page, a chat, and a program make at once', (store) => {
  it(`counts once, whoever is first (${rounds} races)`, { timeout: 1_200_000 }, async () => {
    await using api = await ApiUnderTest.start(store.database, { limiter: undefined });
    const { accountId } = api.owner;
    const taskId = mainTaskId(accountId);
    const page = await addSession(store.database, accountId);
    const chat = await openChat(api);
    await api.call('task.sendMessage', { task_id: main, message: { content: 'x' } });
    const wins = { page: 0, chat: 0, program: 0 };
    for (let round = 1; round <= rounds; round += 1) {
      const hand = await WorkerHand.take(store.database, taskId);
      const callId = `c${round}`;
      await hand.log(
        { type: 'model_started', step: round, attempt: 1, model: 'test/one', estimatedInput: 1 },
        { type: 'model_finished', step: round, parts: [{ type: 'call', id: callId, tool: 'run_shell', input: {} }], usage },
        { type: 'action_prepared', callId, tool: 'run_shell', params: {}, brief: 'Running rm', action: 'Run', param: 'rm -r a' },
        { type: 'waiting', callId, question: 'Running rm', action: { kind: 'terminalExecute', schema } },
      );
      const id = String((await api.call('inbox.list')).body.data[0]?.['id']);
      const seq = Number(id.split('-')[1]);
      // A bridge looks up its chat first and so comes last; in every fourth round the others let it.
      const begun = Promise.withResolvers<void>();
      if (round % 4 !== 0) begun.resolve();
      // Each decides differently, so that the log shows which one counted.
      const byPage = async () => {
        await begun.promise;
        const { status } = await api.call(
          'inbox.decide',
          { id, accept: false, note: `page ${round}` },
          { key: null, headers: page.headers },
        );
        expect([200, 409]).toContain(status);
        if (status === 200) wins.page += 1;
        return status === 200;
      };
      const byChat = async () => {
        const isFirst = /allowed/i.test(await chat.press(`y${seq}`, begun.resolve));
        begun.resolve();
        if (isFirst) wins.chat += 1;
        return isFirst;
      };
      const byProgram = async () => {
        await begun.promise;
        const event_id = eventId(taskId, seq - 1, Date.now());
        const { status } = await api.call('task.confirmAction', { task_id: main, event_id, input: { accept: true } });
        expect([200, 400]).toContain(status);
        if (status === 200) wins.program += 1;
        return status === 200;
      };
      const rivals = [byPage, byChat, byProgram];
      const order = rivals.map((_, at) => rivals[(at + round) % rivals.length] ?? byPage);
      const decided = await Promise.all(order.map((decide) => decide()));
      expect(decided.filter(Boolean)).toHaveLength(1);
    }
    const where = "account_id = ? AND task_id = ? AND type = 'decided'";
    const logged = await store.query(`SELECT body FROM events WHERE ${where}`, accountId, taskId);
    const declined = logged.filter(({ body }) => String(body).includes('"isAccepted":false'));
    const kept = await store.query('SELECT decided_by, decider_name FROM inbox_decisions WHERE account_id = ?', accountId);
    expect([logged.length, declined.length, kept.length]).toEqual([rounds, wins.page, rounds]);
    expect(wins.page + wins.chat + wins.program).toBe(rounds);
    expect(Math.min(wins.page, wins.chat, wins.program)).toBeGreaterThan(0);
    const by = (kind: string) => kept.filter(({ decided_by: decider }) => String(decider).startsWith(`${kind}:`));
    expect({ page: by('session').length, chat: by('chat').length, program: by('api_key').length }).toEqual(wins);
    expect(by('chat').every(({ decider_name: name }) => name === 't')).toBe(true);
    console.info(`${rounds} races, decided by: ${JSON.stringify(wins)}`);
  });
});
