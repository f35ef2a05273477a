import type { z } from 'zod';
import { drawShape } from './schema-text.ts';
import { explainToolName } from './explain-tool.ts';
import type { Tool } from './tool.ts';
import { findPart, keepsBack, readFullSchema } from './tool-schema.ts';

const shownIssues = 8;
/** Maximum length of a schema in one line. */
const longestShape = 600;

function shorten(line: string): string {
  return line.length <= longestShape ? line : `${line.slice(0, longestShape)}…`;
}

/** The validator reports what it received; for a missing field that only confuses models. */
function describeIssue({ code, message }: z.core.$ZodIssue): string {
  return code === 'invalid_type' && message.endsWith('received undefined') ? 'is missing' : message;
}

/** One line: the field, what is wrong with it, and what it should look like. */
function explainIssue(tool: Tool, issue: z.core.$ZodIssue, input: unknown): string {
  const where = issue.path.map(String).join('.');
  const problem = describeIssue(issue);
  if (where === '') return `- ${problem}`;
  const part = findPart(readFullSchema(tool), issue.path, input);
  return `- ${where}: ${problem}. Expected: ${shorten(drawShape(part))}`;
}

/**
 * What is wrong with an input, field by field, and what it should look like; the whole of it only where one of its own fields is wrong, because
 * parts are shown with their fields.
 */
export function explainInput(tool: Tool, error: z.ZodError, input: unknown): string {
  const schema = readFullSchema(tool);
  const shown = error.issues.slice(0, shownIssues).map((issue) => explainIssue(tool, issue, input));
  const more = error.issues.length > shownIssues ? [`- and ${error.issues.length - shownIssues} more`] : [];
  const isOwn = error.issues.some(({ path }) => path.length < 2);
  const whole = isOwn ? `Its input is ${shorten(drawShape(schema, 1))}. ` : '';
  const help = keepsBack(schema) ? `${explainToolName} with {"tool": "${tool.name}"} shows all of it. ` : '';
  return [`The input of ${tool.name} is wrong:`, ...shown, ...more, `${whole}${help}Correct the input and call again.`].join(
    '\n',
  );
}
