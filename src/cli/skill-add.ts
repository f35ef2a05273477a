import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { terminalLine, printJson, printNote, printText } from './output.ts';
import { readSkillPackage } from './skill-package.ts';

export const skillAdd = defineCommand({
  name: 'skill add',
  summary: 'Bring a skill: a folder with a SKILL.md, a zip of one, or a SKILL.md alone.',
  args: { PATH: 'The folder or file.' },
  options: {
    project: { type: 'string', value: 'PROJECT_ID', about: 'For the tasks of this project only.' },
    team: { type: 'boolean', about: 'For everybody in the team of the account.' },
    ...accountOption,
  },
  details: 'A skill of the same name and owner is replaced and keeps its id.',
  examples: [
    ['skill add ./invoices', 'for all tasks of the account'],
    ['skill add invoices.zip --team', 'for everybody in the team'],
  ],
  async run(shell, { options, args }) {
    const skillPackage = await readSkillPackage(args.PATH);
    return withConnection(shell, { account: options.account }, async (connection) => {
      const input = { ...skillPackage, project_id: options.project, team: options.team };
      const created = await connection.call('skill.create', input);
      if (options.json) printJson(shell, created);
      else {
        printText(shell, created.skill.id);
        printNote(shell, `${terminalLine(created.skill.name, 64)}: ${terminalLine(created.skill.description)}`);
      }
      return exitCode.done;
    });
  },
});
