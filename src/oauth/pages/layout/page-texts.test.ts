import { describe, expect, it } from 'vitest';
import { findEnglish } from '../../../../test/support/accounts/english.ts';
import { faultStatus } from '@errand/base/fault.ts';
import { Html } from './html.ts';
import { de } from './page-texts-de.ts';
import { en } from './page-texts-en.ts';
import { es } from './page-texts-es.ts';
import { zh } from './page-texts-zh.ts';

/** Sample arguments for functions of texts, each of which uses some. */
const given: unknown[] = ['Xyz', null, 'Xyz'];

function listTexts(value: unknown, place = ''): { place: string; text: string }[] {
  if (value instanceof Html) return [{ place, text: value.text }];
  if (typeof value === 'string') return [{ place, text: value }];
  if (typeof value === 'function') return listTexts((value as (...args: unknown[]) => unknown)(...given), place);
  return Object.entries(value ?? {}).flatMap(([key, inner]) => listTexts(inner, `${place}.${key}`));
}

/** Texts selected by their arguments. */
function listChosen({ sso, fault }: typeof en): { place: string; text: string }[] {
  const refusals = (['unverified', 'domain', 'none', 'taken'] as const).flatMap((refusal) =>
    [null, 'ann@example.com'].map((email) => ({ place: refusal, text: sso.refuse(refusal, email, 'Xyz') })),
  );
  const codes = Object.keys(faultStatus) as (keyof typeof faultStatus)[];
  return [...refusals, ...codes.map((code) => ({ place: code, text: fault.explain(code, 'Said by the API.') }))];
}

describe('the texts of the pages', () => {
  const chinese = [...listTexts({ ...zh, sso: { ...zh.sso, refuse: '' } }), ...listChosen(zh)];

  it('are all translated into Chinese, with its typography, and none is left in English', () => {
    expect(chinese.filter(({ text }) => findEnglish(text).length > 0)).toEqual([]);
    const halfWidth =
      /[\u4e00-\u9fff]\s*[,;:!?()]|[\u4e00-\u9fff]\.(?:\s|$)|[,;:!?]\s*[\u4e00-\u9fff]|[\u4e00-\u9fff][A-Za-z0-9]/u;
    expect(chinese.filter(({ text }) => halfWidth.test(text.replaceAll(/<[^>]*>/g, '')))).toEqual([]);
    expect(chinese.filter(({ text }) => /您|^$/.test(text)).map(({ place }) => place)).toEqual(['.sso.refuse']);
  });

  it.each([
    ['German', de],
    ['Spanish', es],
  ] as const)('are all translated into %s, and none is left in English', (_, texts) => {
    const plain = ({ place, text }: { place: string; text: string }) => ({ place, text: text.replaceAll(/<[^>]*>/g, '') });
    const said = [...listTexts({ ...texts, sso: { ...texts.sso, refuse: '' } }), ...listChosen(texts)].map(plain);
    expect(
      said.filter(({ text }) => /\b(the|and|your|you|with|from|this|that|are|not|can|will|of|for|to)\b/i.test(text)),
    ).toEqual([]);
    expect(said.filter(({ text }) => text === '').map(({ place }) => place)).toEqual(['.sso.refuse']);
    expect(said.filter(({ text }) => /["']|\.\.\.|\b(Sie|du|dein\w*|usted)\b/.test(text))).toEqual([]);
  });

  it('quote the API unchanged in English', () => {
    expect(listChosen(en).filter(({ text }) => text === 'Said by the API.')).toHaveLength(Object.keys(faultStatus).length);
  });
});
