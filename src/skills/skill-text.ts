import { LineCounter, parseDocument } from 'yaml';
import { Fault } from '@errand/base/fault.ts';
import { isSkillName, type SkillCard, skillLimits } from '../rules/skills/skill.ts';

function refuse(problem: string): never {
  throw new Fault('invalid_argument', `SKILL.md: ${problem}`);
}

/** The front matter and what follows it. */
function splitText(text: string): { front: string; body: string } {
  const [, front, body] = /^---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n([\s\S]*))?$/.exec(text) ?? [];
  if (front === undefined) refuse('must begin with front matter: a line "---", name and description, and a line "---"');
  return { front, body: (body ?? '').trim() };
}

function readField(front: unknown, field: 'name' | 'description'): string {
  const value = typeof front === 'object' && front !== null ? (front as Record<string, unknown>)[field] : undefined;
  if (typeof value !== 'string' || value.trim() === '') refuse(`the front matter must have a text as its ${field}`);
  return value.toWellFormed().replaceAll('\0', '\ufffd').trim();
}

/** Name, description and body of a SKILL.md. Throws `invalid_argument` that explains the problem. */
export function readSkillText(source: string): SkillCard & { body: string } {
  if (Buffer.byteLength(source) > skillLimits.textBytes) refuse(`must have at most ${skillLimits.textBytes} bytes`);
  const { front, body } = splitText(
    source
      .toWellFormed()
      .replaceAll('\0', '\ufffd')
      .replaceAll('\r\n', '\n')
      .replace(/^\ufeff/, ''),
  );
  // Plain strings, lists and maps only: no tags, no expanding aliases, nothing executed by the parser.
  const lineCounter = new LineCounter();
  const document = parseDocument(front, { schema: 'failsafe', prettyErrors: false, logLevel: 'silent', lineCounter });
  const [error] = document.errors;
  // The line above the front matter counts too.
  if (error) refuse(`line ${lineCounter.linePos(error.pos[0]).line + 1}: the front matter is no YAML: ${error.message}`);
  const card = (() => {
    try {
      return document.toJS({ maxAliasCount: 0 }) as unknown;
    } catch {
      return refuse('the front matter must not use aliases');
    }
  })();
  const name = readField(card, 'name');
  const description = readField(card, 'description').replaceAll(/\s+/g, ' ');
  if (!isSkillName(name)) refuse('name must be lower-case letters, digits and hyphens, at most 64 characters');
  if (description.length > skillLimits.descriptionLength) {
    refuse(`description must have at most ${skillLimits.descriptionLength} characters`);
  }
  if (body === '') refuse('says nothing after its front matter');
  return { name, description, body };
}
