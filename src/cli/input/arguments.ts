import { parseArgs } from 'node:util';
import { findNearestName } from '@errand/base/text/nearest-name.ts';
import { UsageFault } from '../exit-code.ts';
import type { CommandShape, OptionSpec, OptionTable } from './command-shape.ts';

type Parsed = ReturnType<typeof parseArgs>;
type Token = NonNullable<Parsed['tokens']>[number];
type OptionToken = Extract<Token, { kind: 'option' }>;

/** What the help text calls the value of an option. */
export function describeValue(name: string, { value, choices }: OptionSpec): string {
  return choices?.join('|') ?? value ?? name.toUpperCase();
}

function checkOption(token: OptionToken, options: OptionTable, seen: Set<string>): void {
  const { name, rawName, value, inlineValue } = token;
  const spec = Object.hasOwn(options, name) ? options[name] : undefined;
  if (!spec) {
    const nearest = findNearestName(name, Object.keys(options));
    throw new UsageFault(`unknown option ${rawName}${nearest ? `; did you mean --${nearest}?` : ''}`);
  }
  if (spec.type === 'boolean' && value !== undefined) throw new UsageFault(`${rawName} takes no value`);
  // A value that looks like an option usually means that the value was forgotten; --name=-x is explicit.
  const isMissing =
    spec.type === 'string' && (value === undefined || (!inlineValue && value.length > 1 && value.startsWith('-')));
  if (isMissing) throw new UsageFault(`${rawName} needs a value (${describeValue(name, spec)})`);
  if (value !== undefined && spec.choices && !spec.choices.includes(value)) {
    throw new UsageFault(`${rawName} must be one of ${spec.choices.join(', ')}`);
  }
  if (seen.has(name) && !spec.multiple) throw new UsageFault(`${rawName} can be given only once`);
  seen.add(name);
}

function nameArguments(args: CommandShape['args'], positionals: readonly string[]): Record<string, string> {
  const names = Object.keys(args);
  const missing = names[positionals.length];
  if (missing !== undefined) throw new UsageFault(`${missing} is missing`);
  const surplus = positionals[names.length];
  if (surplus !== undefined) {
    const hint = names.length > 0 ? '; put text of several words in quotes' : '';
    throw new UsageFault(`unexpected argument ${JSON.stringify(surplus)}${hint}`);
  }
  return Object.fromEntries(names.map((name, index) => [name, positionals[index] ?? '']));
}

/** What the parser of Node needs to know about an option. */
function toParserOption({ type, short, multiple = false }: OptionSpec) {
  return { type, multiple, ...(short === undefined ? {} : { short }) };
}

/** Parses the rest of a command line according to the command. Throws `UsageFault`. */
export function parseArguments({ args, options }: Pick<CommandShape, 'args' | 'options'>, argv: readonly string[]) {
  const parserOptions = Object.fromEntries(Object.entries(options).map(([name, spec]) => [name, toParserOption(spec)]));
  const parsed = parseArgs({ args: [...argv], options: parserOptions, strict: false, allowPositionals: true, tokens: true });
  const seen = new Set<string>();
  for (const token of parsed.tokens) if (token.kind === 'option') checkOption(token, options, seen);
  return { options: parsed.values, args: nameArguments(args, parsed.positionals) };
}
