import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readMatrix } from '../../test/access/matrix.ts';
import type { Access } from '../rules/access.ts';
import { adminOperations, operations } from './index.ts';

const wireName = /^[a-z]+\.[a-zA-Z]+\.ts$/;

function filesIn(folder: string): string[] {
  return readdirSync(new URL(folder, import.meta.url)).filter((file) => wireName.test(file) && !file.endsWith('.test.ts'));
}

describe('the operation table', () => {
  it('has one row for each file, of the same name', () => {
    expect(operations.map(({ name }) => `${name}.ts`).toSorted()).toEqual(filesIn('.').toSorted());
    expect(adminOperations.map(({ name }) => `${name}.ts`).toSorted()).toEqual(filesIn('./admin').toSorted());
  });

  it('keeps what is for the operator off the public face', () => {
    for (const { access, path, name } of operations) {
      expect(access).not.toBe('operator');
      expect(path).toBe(`/v2/${name}`);
    }
    for (const { access, path, name } of adminOperations) expect([access, path]).toEqual(['operator', `/admin/${name}`]);
  });

  it('lets applications call what each kind of resource is for, and nothing else (wire-facts 1.5)', () => {
    const rules: [RegExp, Access][] = [
      [/^(skill|connector)\.(create|check|delete)/, 'account'],
      [/^(task|connector|skill|file|artifact)\./, 'tasks'],
      [/^project\./, 'projects'],
      [/^browser\./, 'browsers'],
      [/^(agent|website)\./, 'trusted'],
      [/^(webhook|usage)\./, 'account'],
    ];
    for (const { name, access } of operations) {
      expect({ name, access }).toEqual({ name, access: rules.find(([pattern]) => pattern.test(name))?.[1] });
    }
  });

  it('says in test/access/matrix.yaml of every row who may call it, and of nothing else', () => {
    expect(readMatrix().operations.toSorted()).toEqual(operations.map(({ name }) => name).toSorted());
  });

  it('counts every write as one, and reads without a body', () => {
    for (const { method, cost } of [...operations, ...adminOperations]) expect(method === 'GET').toBe(cost === 'read');
  });
});
