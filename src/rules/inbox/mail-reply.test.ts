import { expect, it } from 'vitest';
import { decisionOf, readReplyText } from './mail-reply.ts';

it.each([
  [
    'Gmail',
    'In euros, please.\n\nOn Mon, 4 Jan 2027 at 10:00, Errand <errand@example.com> wrote:\n\n> Question: Which currency?',
  ],
  [
    'a long introduction in two lines',
    'In euros, please.\n\nOn Mon, 4 Jan 2027 at 10:00, Errand\n<errand@example.com> wrote:\n> Question',
  ],
  ['Apple Mail in German', 'In euros, please.\n\nAm 04.01.2027 um 10:00 schrieb Errand <errand@example.com>:\n\n> Frage'],
  [
    'Outlook',
    'In euros, please.\n\n________________________________\nFrom: Errand <errand@example.com>\nSent: Monday\n\nQuestion',
  ],
  ['Outlook without a line', 'In euros, please.\n\nVon: Errand <errand@example.com>\nGesendet: Montag\n\nFrage'],
  ['old Outlook', 'In euros, please.\n\n-----Original Message-----\nFrom: Errand'],
  ['a signature', 'In euros, please.\n-- \nAnn\nA company'],
  ['nothing else', '\nIn euros, please.\n'],
])('keeps what was written above %s', (_, text) => {
  expect(readReplyText(text)).toBe('In euros, please.');
});

it('keeps several paragraphs, and lines that end with a colon', () => {
  expect(readReplyText('These 2:\n\n- a\n- b\n\nNothing else:\n\n> Question')).toBe('These 2:\n\n- a\n- b\n\nNothing else:');
  expect(readReplyText('> Question')).toBe('');
});

it('takes a single word as leave or its refusal, of an action alone, and everything else as an answer', () => {
  for (const word of ['yes', 'Yes.', 'OK!', 'ja', 'Sí', '是。'])
    expect(decisionOf('confirmation', word)).toEqual({ accept: true });
  for (const word of ['no', 'No.', 'nein', '不']) expect(decisionOf('confirmation', word)).toEqual({ accept: false });
  expect(decisionOf('confirmation', 'yes, but only the first')).toEqual({ answer: 'yes, but only the first' });
  expect(decisionOf('question', 'yes')).toEqual({ answer: 'yes' });
});
