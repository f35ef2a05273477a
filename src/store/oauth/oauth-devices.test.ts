import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { nextMs } from '../../../test/support/db/store-samples.ts';
import { addAccount, addApp, addGrant, farAhead } from '../../../test/support/oauth/oauth-samples.ts';
import { findGrantedConnectors, setGrantedConnectors } from './granted-connectors.ts';
import { mayUseApp } from './oauth-audience.ts';
import { createDevice, decideDevice, deviceCode, findDevice, deleteExpiredDevices, pollDevice } from './oauth-devices.ts';

describeStores('a device that waits', (store) => {
  async function addDevice(userCode: string) {
    const app = await addApp(store.database);
    const device = { digest: `digest ${userCode}`, userCode, clientId: app.clientId, scopes: app.scopes, expiresAtMs: farAhead };
    expect(await store.database.run(createDevice, device)).toBe(true);
    const { digest, clientId } = device;
    const poll = (now: number) => store.database.run(pollDevice, { digest, clientId, now, intervalMs: 5000 });
    return { app, device, poll };
  }

  it('has a unique user code and is found by it', async () => {
    const { app, device } = await addDevice('AAAA');
    expect(await store.database.run(createDevice, { ...device, digest: 'another' })).toBe(false);
    const { digest, clientId } = device;
    expect(await store.database.run(findDevice, { userCode: 'AAAA', now: 1 })).toEqual({ digest, clientId, scopes: app.scopes });
    expect(await store.database.run(findDevice, { userCode: 'AAAA', now: farAhead })).toBeNull();
  });

  it('gets what its user allowed, decided once', async () => {
    const { app, device, poll } = await addDevice('BBBB');
    expect(await poll(10_000)).toEqual({ status: 'waiting' });
    expect(await poll(10_001)).toEqual({ status: 'hasty' });
    const place = { accountId: app.accountId, grantId: newId(nextMs()) };
    const grant = { ...place, clientId: app.clientId, scopes: app.scopes, connectors: [], appRevision: 1, appName: app.name };
    const code = { digest: device.digest, ...deviceCode };
    const decision = { userCode: 'BBBB', now: 1, grant: { ...grant, actor: 'test', code, now: 1, expiresAtMs: farAhead } };
    expect(await store.database.run(decideDevice, decision)).toBe(true);
    expect(await store.database.run(decideDevice, { ...decision, grant: null })).toBe(false);
    expect(await poll(20_000)).toEqual({ status: 'allowed', place });
    expect(await store.database.run(findDevice, { userCode: 'BBBB', now: 1 })).toBeNull();
  });

  it('learns that its user denied access, and is deleted when it has expired', async () => {
    const { poll } = await addDevice('CCCC');
    await store.database.run(decideDevice, { userCode: 'CCCC', now: 1, grant: null });
    expect(await poll(10_000)).toEqual({ status: 'denied' });
    expect(await store.database.run(deleteExpiredDevices, { now: 1, limit: 5 })).toBe(0);
    expect(await store.database.run(deleteExpiredDevices, { now: farAhead, limit: 5 })).toBe(1);
    expect(await poll(20_000)).toEqual({ status: 'unknown' });
  });
});

describeStores('an application', (store) => {
  it('may use the connectors that its user chose last', async () => {
    const { accountId, app } = await addGrant(store.database);
    const key = { accountId, clientId: app.clientId };
    expect(await store.database.run(findGrantedConnectors, key)).toEqual([]);
    const choice = { ...key, connectors: ['c1', 'c2'], appName: app.name, actor: 'test', now: nextMs() };
    await store.database.run(setGrantedConnectors, choice);
    expect(await store.database.run(findGrantedConnectors, key)).toEqual(['c1', 'c2']);
    const stranger = { ...choice, accountId: await addAccount(store.database) };
    await expect(store.database.run(setGrantedConnectors, stranger)).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.database.run(findGrantedConnectors, stranger)).toBeNull();
  });

  it('is available to its owner, and to everybody when it is trusted', async () => {
    const [own, trusted] = [await addApp(store.database), await addApp(store.database, { kind: 'trusted_public' })];
    const stranger = await addAccount(store.database);
    const mayUse = (accountId: string, { clientId }: { clientId: string }) =>
      store.database.run(mayUseApp, { accountId, clientId });
    expect(await mayUse(own.accountId, own)).toBe(true);
    expect(await mayUse(stranger, own)).toBe(false);
    expect(await mayUse(stranger, trusted)).toBe(true);
  });
});
