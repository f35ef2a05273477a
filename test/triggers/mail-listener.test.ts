import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { silentLog } from '@errand/base/log.ts';
import type { RecordLookup } from '@errand/base/net/record-lookup.ts';
import { openCertificate } from '../../src/app/channels/build-mail.ts';
import { readCertificate } from '../net/certificates.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { MemoryDatabase } from '../support/db/memory-database.ts';
import { ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { sampleMail } from '../support/mail/mail-samples.ts';
import { knowsNothing, mailDomain, startMail } from '../support/mail/mail-under-test.ts';
import { SmtpClient } from '../support/mail/smtp-client.ts';
import { createFolder } from '../support/process/leftovers.ts';
import { LocalService } from '../support/service/local-service.ts';

describe('the SMTP listener', () => {
  let api: ApiUnderTest;
  let stop: (() => Promise<void>)[];
  const listen = async (options: Partial<Parameters<typeof startMail>[1]> = {}) => {
    const mail = await startMail(api, { clock: systemClock, ...options });
    stop.push(mail.stop);
    return mail.port;
  };
  const create = async (more: Json = {}) => {
    const input = { name: 'Help', type: 'email', message_template: '{{text}}', ...more };
    return (await api.call('trigger.create', input)).body.trigger as { id: string; address: string };
  };
  const bodyOf = async (id: string) => {
    const [event] = (await api.call('trigger.events', { trigger_id: id })).body.data;
    return JSON.parse(String(event?.body)) as Json;
  };

  beforeEach(async () => {
    api = await ApiUnderTest.start(new MemoryDatabase(systemClock), { mailDomain });
    stop = [];
  });
  afterEach(async () => {
    await Promise.all(stop.map((end) => end()));
    await api.stop();
  });

  it('encrypts with the certificate of the operator, and with another one after that has changed', async () => {
    const folder = createFolder('certificates');
    const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    const write = (name: 'valid' | 'expired', atS: number) => {
      writeFileSync(files.cert, readCertificate(name));
      writeFileSync(files.key, readCertificate('key'));
      for (const path of Object.values(files)) utimesSync(path, atS, atS);
    };
    const clock = new TestClock();
    write('valid', 1000);
    const port = await listen({ certificate: openCertificate(files, clock, silentLog) });
    const trigger = await create();
    const visit = async () => {
      const { client } = await SmtpClient.connect(port);
      expect((await client.command('EHLO mx.example.com')).lines).toContain('STARTTLS');
      const { reply, fingerprint } = await client.startTls();
      expect(reply.code).toBe(220);
      return { client, fingerprint };
    };
    const { client, fingerprint } = await visit();
    const commands = ['EHLO mx.example.com', 'MAIL FROM:<ann@example.com>', `RCPT TO:<${trigger.address}>`];
    for (const command of commands) expect((await client.command(command)).code).toBe(250);
    expect((await client.command('DATA')).code).toBe(354);
    expect((await client.data(sampleMail())).code).toBe(250);
    client.close();
    write('expired', 2000);
    await clock.advance(60_000);
    const next = await visit();
    expect(next.fingerprint).not.toBe(fingerprint);
    next.client.close();
  });

  it('believes only a trusted relay whom it got a mail from', async () => {
    const lookup: RecordLookup = (name, type, signal) =>
      `${type} ${name}` === 'TXT example.com'
        ? Promise.resolve([['v=spf1 ip4:192.0.2.7 -all']])
        : knowsNothing(name, type, signal);
    const trusting = await listen({ lookup, settings: { trustedProxies: ['127.0.0.0/8'] } });
    const other = await listen({ lookup, settings: { trustedProxies: ['10.0.0.0/8'] } });
    const spfOf = async (port: number, address: string | null, earlier: readonly string[] = []) => {
      const trigger = await create();
      const { client } = await SmtpClient.connect(port);
      await client.command('EHLO relay.test');
      for (const line of earlier) await client.command(line);
      if (address !== null) await client.command(`XFORWARD ADDR=${address} HELO=mx.example.com`);
      for (const line of ['MAIL FROM:<ann@example.com>', `RCPT TO:<${trigger.address}>`, 'DATA']) await client.command(line);
      expect((await client.data(sampleMail())).code).toBe(250);
      client.close();
      return (await bodyOf(trigger.id)).spf;
    };
    expect(await spfOf(trusting, '192.0.2.7')).toBe('pass');
    expect(await spfOf(trusting, '192.0.2.8')).toBe('fail');
    expect(await spfOf(trusting, null)).toBe('none');
    const first = ['XFORWARD ADDR=192.0.2.8', 'MAIL FROM:<ann@example.com>', 'RSET'];
    expect(await spfOf(trusting, null, first)).toBe('none');
    expect(await spfOf(trusting, '[UNAVAILABLE]', first)).toBe('none');
    expect(await spfOf(trusting, '192.0.2.7', first)).toBe('pass');
    expect(await spfOf(other, '192.0.2.7')).toBe('fail');
  });

  it('takes a mail whose sender cannot be looked up in time', async () => {
    const clock = new TestClock();
    const asked = Promise.withResolvers<void>();
    const silent: RecordLookup = (_name, _type, signal) =>
      new Promise((_, reject) => {
        asked.resolve();
        signal.addEventListener('abort', () => reject(Object.assign(new Error('given up'), { code: 'ETIMEOUT' })), {
          once: true,
        });
      });
    const port = await listen({ clock, lookup: silent });
    const trigger = await create();
    const sent = SmtpClient.send(port, { to: trigger.address, data: sampleMail() });
    await asked.promise;
    await clock.advance(10_000);
    expect((await sent).code).toBe(250);
    expect(await bodyOf(trigger.id)).toMatchObject({ spf: 'temperror', dkim: 'none', dmarc: 'temperror' });
  });

  it('asks the sender of a mail to try again while a filter cannot be judged, unless the mail is unwanted anyway', async () => {
    const silent: RecordLookup = () => Promise.reject(Object.assign(new Error('no answer'), { code: 'ETIMEOUT' }));
    const port = await listen({ lookup: silent });
    const proven = { pointer: '/dmarc', equals: 'pass' };
    const trigger = await create({ filter: [proven, { pointer: '/from', equals: 'ann@example.com' }] });
    const other = await create({ filter: [proven, { pointer: '/from', equals: 'bo@example.com' }] });
    const codeOf = async ({ address }: { address: string }) =>
      (await SmtpClient.send(port, { to: address, data: sampleMail() })).code;
    const outcomesOf = async ({ id }: { id: string }) =>
      (await api.call('trigger.events', { trigger_id: id })).body.data.map(({ outcome }) => outcome);
    expect([await codeOf(trigger), await codeOf(other)]).toEqual([451, 250]);
    expect([await outcomesOf(trigger), await outcomesOf(other)]).toEqual([[], ['filtered']]);
  });

  it('asks the sender of a mail to try again if its trigger is paused while it arrives', async () => {
    const trigger = await create();
    const pausing: RecordLookup = async (name, type, signal) => {
      await api.call('trigger.update', { trigger_id: trigger.id, status: 'paused' });
      return knowsNothing(name, type, signal);
    };
    const port = await listen({ lookup: pausing });
    expect((await SmtpClient.send(port, { to: trigger.address, data: sampleMail() })).code).toBe(450);
  });

  it('finishes a mail that it is receiving when it stops, and ends other connections', async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const slow: RecordLookup = async (name, type, signal) => {
      asked.resolve();
      await answer.promise;
      return knowsNothing(name, type, signal);
    };
    const port = await listen({ lookup: slow });
    const trigger = await create();
    const { client: idle } = await SmtpClient.connect(port);
    const sent = SmtpClient.send(port, { to: trigger.address, data: sampleMail() });
    await asked.promise;
    const stopped = stop.pop()?.();
    expect((await idle.read()).code).toBe(421);
    answer.resolve();
    expect((await sent).code).toBe(250);
    await stopped;
    expect((await bodyOf(trigger.id)).subject).toBe('The page is blank');
  });
});

it('a service receives mail where its operator has switched that on', async () => {
  const env = { ERRAND_SMTP_PORT: '0', ERRAND_MAIL_DOMAIN: 'In.Errand.Test' };
  await using service = await LocalService.start({ env });
  const { port } = await service.waitForLog(({ msg }) => msg === 'mail is received');
  const call = async (name: string, body: Json) => {
    const headers = { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' };
    const answer = await fetch(`${service.url}/v2/${name}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as { trigger: { id: string; address: string } };
  };
  const { trigger } = await call('trigger.create', { name: 'Help', type: 'email', message_template: '{{subject}}' });
  expect(trigger.address).toMatch(/@in\.errand\.test$/);
  const { code } = await SmtpClient.send(Number(port), { to: trigger.address, data: sampleMail(), from: '' });
  expect(code).toBe(250);
});
