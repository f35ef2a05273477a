import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { en } from './en.ts';
import { zh } from './zh.ts';

interface Said {
  /** Its key path, such as `team.roles.owner`. */
  place: string;
  text: string;
}

/** Arguments for text functions: enough for any, each both a number and a string. */
const given = [2, '2', 'x'] as unknown[];

function listTexts(value: unknown, place: string): Said[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ place, text: String(value) }];
  if (typeof value === 'function') return listTexts((value as (...args: unknown[]) => unknown)(...given), place);
  return Object.entries(value as object).flatMap(([key, inner]) => listTexts(inner, place === '' ? key : `${place}.${key}`));
}

type Node = { type: string } & Record<string, unknown>;

/** Attributes with visible or accessible text. */
const readAttributes = new Set([
  'label',
  'title',
  'placeholder',
  'alt',
  'hint',
  'lead',
  'aria-label',
  'aria-description',
  'caption',
]);
/** Names that are the same in every language, example URLs, and key symbols. */
const isNobodysLanguage = (text: string) => !/\p{L}{2}/u.test(text) || /^(https?:\/\/\S+|Errand)$/.test(text.trim());

function literalsOf(node: unknown): string[] {
  const { type, value, expression, quasis } = (node ?? {}) as Node & {
    value?: unknown;
    expression?: unknown;
    quasis?: { value: { raw: string } }[];
  };
  if (type === 'Literal') return typeof value === 'string' ? [value] : [];
  if (type === 'JSXExpressionContainer') return literalsOf(expression);
  return type === 'TemplateLiteral' ? (quasis ?? []).map((quasi) => quasi.value.raw) : [];
}

/** Literal text in a component's markup, which cannot be translated. */
function findWords(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(findWords);
  if (typeof node !== 'object' || node === null) return [];
  const { type, value, name } = node as Node & { name?: { name?: string } };
  const own =
    type === 'JSXText'
      ? [String(value)]
      : type === 'JSXAttribute' && readAttributes.has(name?.name ?? '')
        ? literalsOf(value)
        : [];
  return [...own.filter((text) => !isNobodysLanguage(text)), ...Object.values(node).flatMap(findWords)];
}

describe('the texts of the application', () => {
  it('are all in the language files', () => {
    const root = path.join(import.meta.dirname, '..');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.tsx') && !file.includes('.test.'),
    );
    const found = files.flatMap((file) => {
      const { program } = parseSync(file, readFileSync(path.join(root, file), 'utf8'));
      return findWords(program.body).map((word) => `${file}: ${word.trim()}`);
    });
    expect(files.length).toBeGreaterThan(100);
    expect(found).toEqual([]);
  });

  it('are found elsewhere by this check', () => {
    const { program } = parseSync(
      'x.tsx',
      'const A = () => <p title={`Hello ${you}`}>Good morning, {you} · <b>https://x.y</b></p>;',
    );
    expect(findWords(program.body)).toEqual(['Hello ', 'Good morning, ']);
  });

  it('exist in every language, and none is missing or untranslated', () => {
    const [source, other] = [listTexts(en, ''), listTexts(zh, '')];
    const english = new Map(source.map(({ place, text }) => [place, text]));
    expect(other.map(({ place }) => place).sort()).toEqual([...english.keys()].sort());
    const same = other.filter(({ place, text }) => text !== '' && text === english.get(place) && /[a-z]{4}/i.test(text));
    const names = /^(Errand|Telegram|Slack|Webhook|curl|SKILL\.md|Anthropic|OpenAI|Google|Ollama|LM Studio|x.*)$/;
    expect(same.filter(({ text }) => !names.test(text))).toEqual([]);
  });

  it('follow the typography of their language', () => {
    const chinese = listTexts(zh, '').filter(({ place }) => !/^(home\.examples|skills\.sample)/.test(place));
    const halfWidth = /[\u4e00-\u9fff]\s*[,;:!?()]|[\u4e00-\u9fff]\.(?:\s|$)|[,;:!?]\s*[\u4e00-\u9fff]/u;
    expect(chinese.filter(({ text }) => halfWidth.test(text))).toEqual([]);
    expect(chinese.filter(({ text }) => text.includes('您'))).toEqual([]);
    const english = listTexts(en, '').filter(({ place }) => !/^(home\.examples|skills\.sample)/.test(place));
    expect(english.filter(({ text }) => /\s{2}(?!\n)|\.\.\.|"|(?<=\w)'(?=\w)/.test(text))).toEqual([]);
  });
});
