import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { de } from './de.ts';
import { en, type Texts } from './en.ts';
import { es } from './es.ts';
import { zh } from './zh.ts';

interface Said {
  /** Its key path, such as `team.roles.owner`. */
  place: string;
  text: string;
}

/** Arguments for text functions: enough for any, each both a number and a string. */
const given = [2, '2', 'x'] as unknown[];

function listTexts(value: unknown, place: string, args = given): Said[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ place, text: String(value) }];
  if (typeof value === 'function') return listTexts((value as (...args: unknown[]) => unknown)(...args), place, args);
  return Object.entries(value as object).flatMap(([key, inner]) =>
    listTexts(inner, place === '' ? key : `${place}.${key}`, args),
  );
}

/** Examples, which are what people and files say. */
const isSample = ({ place }: Said) => /^(home\.examples|skills\.sample)/.test(place);

interface Language {
  texts: Texts;
  /** Texts that are right although they are the same in English. */
  same: RegExp;
  /** What is wrong in its texts. */
  wrong: RegExp;
}

const everywhere = 'Errand|Telegram|Slack|Webhook|curl|SKILL\\.md|Anthropic|OpenAI|Google|Ollama|LM Studio|x.*';

/** Words of English that neither language has; an English text of some length has one of them. */
const english = /\b(the|and|your|you|with|from|this|that|these|are|not|have|can|will|of|for|to)\b/i;

/** Names of fields, which are English everywhere. */
const namedParts = /\{\{.*?\}\}|\/\w+/g;

/** `common`: every text that may be the same in English. */
function sameAs(common: string): RegExp {
  return new RegExp(`^(${everywhere}|${common})$`);
}

const languages: Record<string, Language> = {
  de: {
    texts: de,
    same: sameAs(
      '(Agent|Apps?|Audio|Browser|Bucket|Budgets?|Chats?|Code|Credits|Details|Format|GitHub|Header|Homepage|Link|Mail|Name|Passkeys|Person|Phase|Plan|Region|Scopes|Secret|Skills?|Status|Stripe|Standard( Webhooks)?|System|Team|Test|Text|(.* )?Tokens?|Videos|Websites|Webhooks|Worker|Admin|Free|optional|Mobile Apps|pip install polars|(Agent:|Cron|Port|Version) .*|.* Credits?)',
    ),
    // Quotation marks „like these“, a space before an ellipsis that stands for words, and nobody is addressed as "du".
    wrong: /\s{2}(?!\n)|\.\.\.|["'”«»]|(?<![„\w])“(?=\w)|„[^“]*$|\p{L}{2}…|\b(du|dein\w*|dich|dir)\b/iu,
  },
  es: {
    texts: es,
    same: sameAs(
      '(Apps?|Audio|Bucket|Chats?|GitHub|(.* )?[Tt]okens?|Stripe|Standard Webhooks|Webhooks|Workers?|Plan|Free|Team|Personal|pip install polars|Plan .*|App .*)',
    ),
    // «Quotation marks», an opening mark before every question, no space before an ellipsis, and nobody is "usted".
    wrong: /\s{2}(?!\n)|\.\.\.|["“”„]|(?<=\w)'(?=\w)|^[^¿]*\?|\s…(?:\s|$)|\busted(es)?\b/iu,
  },
  zh: {
    texts: zh,
    same: sameAs('x'),
    wrong: /[\u4e00-\u9fff]\s*[,;:!?()]|[\u4e00-\u9fff]\.(?:\s|$)|[,;:!?]\s*[\u4e00-\u9fff]|您/u,
  },
};

/** Which arguments a text shows: each is a number that no text has of its own. */
function listShown(texts: Texts, counted: number): Map<string, string> {
  const markers = [counted, 7071, 7072, 7073];
  return new Map(
    listTexts(texts, '', markers).map(({ place, text }) => [
      place,
      markers.filter((marker) => new RegExp(`(?<!\\d)${marker}(?!\\d)`).test(text)).join(),
    ]),
  );
}

/** How a text ends: a sentence, a question, more to come, or none of these, as on a button. */
const endOf = (text: string) =>
  /(?:[.?…:]|[。？：])$/u.exec(text)?.[0].replace('。', '.').replace('？', '?').replace('：', ':') ?? '';

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

  it('follow the typography of English', () => {
    const texts = listTexts(en, '').filter((said) => !isSample(said));
    expect(texts.filter(({ text }) => /\s{2}(?!\n)|\.\.\.|"|(?<=\w)'(?=\w)/.test(text))).toEqual([]);
  });
});

describe.each(Object.entries(languages))('the texts in %s', (_, { texts, same, wrong }) => {
  const source = new Map(listTexts(en, '').map(({ place, text }) => [place, text]));
  const said = listTexts(texts, '');

  it('are those of English, and none is missing or untranslated', () => {
    expect(said.map(({ place }) => place).sort()).toEqual([...source.keys()].sort());
    const untranslated = said.filter(
      ({ place, text }) => text === source.get(place) && /[a-z]{4}/i.test(text) && !same.test(text),
    );
    expect(untranslated).toEqual([]);
    expect(said.filter((one) => !isSample(one) && english.test(one.text.replaceAll(namedParts, '')))).toEqual([]);
    expect(said.filter(({ place, text }) => (text === '') !== (source.get(place) === ''))).toEqual([]);
  });

  it.each([7070, 1])('show what is counted and named, for %d', (counted) => {
    const [wanted, shown] = [listShown(en, counted), listShown(texts, counted)];
    // A single one is written as a digit or as a word.
    const of = (map: typeof wanted) =>
      [...map].map(([place, markers]) => `${place}: ${counted === 1 ? markers.replace(/^1,?/, '') : markers}`);
    expect(of(shown).sort()).toEqual(of(wanted).sort());
  });

  it('end as in English: what is a label or a button has no full stop', () => {
    const other = said.filter((one) => !isSample(one) && endOf(one.text) !== endOf(source.get(one.place) ?? ''));
    expect(other).toEqual([]);
  });

  it('follow the typography of their language', () => {
    expect(said.filter((one) => !isSample(one) && wrong.test(one.text))).toEqual([]);
  });
});
