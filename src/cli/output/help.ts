import { describeValue } from '../input/arguments.ts';
import type { CommandShape, OptionTable } from '../input/command-shape.ts';
import { formatTable } from './print.ts';
import { describeSettings } from './settings-help.ts';

function describeOptions(options: OptionTable): string[][] {
  return Object.entries(options).map(([name, spec]) => {
    const letter = spec.short === undefined ? '' : `-${spec.short}, `;
    const operand = spec.type === 'string' ? ` ${describeValue(name, spec)}` : '';
    return [`  ${letter}--${name}${operand}${spec.multiple ? ' …' : ''}`, spec.about];
  });
}

/** `errand task send TASK_ID TEXT [options]` */
export function describeUse({ name, args }: CommandShape): string {
  return ['errand', name, ...Object.keys(args), '[options]'].join(' ');
}

function section(title: string, rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? '' : `\n${title}:\n${formatTable(rows)}\n`;
}

/** The help text of one command. */
export function describeCommand(command: CommandShape): string {
  const examples = command.examples.flatMap(([line, about]) => [`  # ${about}`, `  errand ${line}`]);
  return [
    `${command.summary}\n`,
    `\nUsage: ${describeUse(command)}\n`,
    section(
      'Arguments',
      Object.entries(command.args).map(([name, about]) => [`  ${name}`, about]),
    ),
    section('Options', describeOptions(command.options)),
    command.details === undefined ? '' : `\n${command.details}\n`,
    command.hasSettings ? `\nSettings (environment variables):\n${describeSettings()}\n` : '',
    examples.length === 0 ? '' : `\nExamples:\n${examples.join('\n')}\n`,
  ].join('');
}

function listCommands(commands: readonly CommandShape[]): string[][] {
  return commands.map(({ name, summary }) => [`  ${name}`, summary]);
}

/** The help text of the commands that share their first word, such as `task`. */
export function describeFamily(noun: string, commands: readonly CommandShape[]): string {
  return [
    `Usage: errand ${noun} COMMAND [options]\n`,
    section('Commands', listCommands(commands)),
    `\nFor arguments, options, and examples run errand ${noun} COMMAND --help.\n`,
  ].join('');
}

/** The help text of all commands, in groups with a title each. */
export function describeErrand(groups: readonly (readonly [title: string, commands: readonly CommandShape[]])[]): string {
  return [
    'Errand runs AI agent tasks in the background.\n',
    '\nUsage: errand [command] [options]\n',
    ...groups.map(([title, commands]) => section(title, listCommands(commands))),
    '\nWithout a command, errand runs serve. For details run errand COMMAND --help; errand serve --help lists the settings.\n',
    '\nCommands act on the data folder (ERRAND_DATA_DIR), through the service if one is running on it; or on the database at\n',
    'ERRAND_DATABASE_URL; or on the service at ERRAND_URL, with ERRAND_API_KEY or errand login.\n',
  ].join('');
}
