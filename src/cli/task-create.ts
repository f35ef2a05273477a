import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { terminalLine, printJson, printNote, printText } from './output.ts';
import { messageOptions, readMessageArgument, writeMessage } from './task-message.ts';
import { noteIfUnattended } from './unattended.ts';

export const taskCreate = defineCommand({
  name: 'task create',
  summary: 'Create a task and print its id; it runs in the background.',
  args: { PROMPT: 'What to do; - reads it from standard input.' },
  options: {
    ...messageOptions,
    title: { type: 'string', value: 'TITLE', about: 'A title of your own.' },
    profile: { type: 'string', value: 'PROFILE', about: 'service-1.6 (default), service-1.6-lite or service-1.6-max.' },
    locale: { type: 'string', value: 'LOCALE', about: 'Language of the result, for example en or zh-CN.' },
    interactive: { type: 'boolean', about: 'Let the agent ask when it needs to know more.' },
    ...accountOption,
  },
  examples: [
    ['task create "write hello.md with Hello"', 'prints the id of the new task'],
    ['task create - < prompt.txt', 'a long prompt'],
  ],
  async run(shell, { options, args }) {
    const message = await readMessageArgument(shell, args.PROMPT, options);
    return withConnection(shell, { account: options.account }, async (connection) => {
      const task = await connection.call('task.create', {
        ...(await writeMessage(message, connection)),
        title: options.title,
        agent_profile: options.profile,
        locale: options.locale,
        interactive_mode: options.interactive,
      });
      if (options.json) printJson(shell, task);
      else {
        printText(shell, task.task_id);
        printNote(shell, `created "${terminalLine(task.task_title)}", ${terminalLine(task.task_url)}`);
      }
      noteIfUnattended(shell, connection);
      return exitCode.done;
    });
  },
});
