import { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { describe, expect, it } from 'vitest';
import { renewTrigger } from './imported-triggers.ts';

const box = new SealedBox('the secret of an instance under test');
const renew = (row: object) => JSON.parse(renewTrigger(JSON.stringify(row), box, 5000)) as Record<string, unknown>;

describe('an imported trigger', () => {
  it('watches its folder from the time of the import on, whatever it has seen elsewhere', () => {
    const seen = { look_at: 100, seen_at: 90, seen_name: 'old.txt', watch_problem: 'gone' };
    const row = renew({ id: 'a', type: 'folder', verification: 'none', watched: '{}', ...seen });
    expect(row).toMatchObject({ watched: '{}', look_at: 5000, seen_at: 5000, seen_name: '', watch_problem: null });
  });

  it('watches its bucket from the time of the import on, with the keys that its owner enters', () => {
    const row = renew({ id: 'a', type: 'bucket', verification: 'none', bucket: '{}', secret: null, look_at: 100, seen_at: 0 });
    expect(row).toMatchObject({ bucket: '{}', look_at: 5000, seen_at: 5000, secret: null });
  });

  it('of an archive from before folders were watched gets no more than new secrets', () => {
    const row = renew({ id: 'a', verification: 'secret', secret: null, token: '' });
    expect(Object.keys(row).toSorted()).toEqual(['id', 'secret', 'token', 'token_digest', 'verification']);
    expect(row.secret).toMatch(/./);
  });
});
