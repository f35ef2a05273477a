import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { printJson, printNote, printText } from './output.ts';
import { taskIdArgument } from './task-id.ts';
import { messageOptions, readMessageArgument, writeMessage } from './task-message.ts';
import { noteIfUnattended } from './unattended.ts';

export const taskSend = defineCommand({
  name: 'task send',
  summary: 'Send a message to a task: an answer, a correction, more to do.',
  args: { ...taskIdArgument, TEXT: 'What to say; - reads it from standard input.' },
  options: { ...messageOptions, ...accountOption },
  details: 'A running task hears it before its next step, a waiting one takes it as the answer, a stopped one goes on.',
  examples: [['task send 0Ab… "the blue one"', 'answers a question']],
  async run(shell, { options, args }) {
    const message = await readMessageArgument(shell, args.TEXT, options);
    return withConnection(shell, { account: options.account }, async (connection) => {
      const sent = await connection.call('task.sendMessage', {
        task_id: args.TASK_ID,
        ...(await writeMessage(message, connection)),
      });
      if (options.json) printJson(shell, sent);
      else {
        printText(shell, sent.task_id);
        printNote(shell, `sent; follow it: errand task watch ${sent.task_id}`);
      }
      noteIfUnattended(shell, connection);
      return exitCode.done;
    });
  },
});
