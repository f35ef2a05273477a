import type { Receiver } from '../support/webhooks/receiver.ts';
import type { McpServerUnderTest } from '../support/connectors/mcp-server-under-test.ts';
import type { Answer, WebUnderTest } from './web-under-test.ts';

/** What stands on the pages of an account that has been in use for a while. */
export interface BusyAccount {
  taskId: string;
  projectId: string;
  clientId: string;
  webhookId: string;
  scheduleId: string;
  triggerId: string;
}

const people = ['bob', 'chloe.with-a-rather-long-name', 'dmitri', 'emre', 'fatima'];
const programs = ['Nightly build', 'Reports', 'Staging', 'Laptop of Ann', 'Zapier', 'Invoices → ledger', 'Chat bot'];
const appNames = ['Reports', 'Calendar helper', 'Mail sorter', 'An application with a name that somebody made too long'];
const scopes = ['create_task', 'manage_all_tasks', 'create_project', 'use_connectors', 'use_my_browsers'];

async function fillTeam(web: WebUnderTest): Promise<void> {
  await web.callWeb('team.create', { name: 'Research & Development' });
  for (const [index, name] of people.entries()) {
    const email = `${name}@research.example.com`;
    await web.operate('account.create', { email });
    const { token } = await web.callWeb('team.invite', { email, role: index === 0 ? 'admin' : 'member' });
    if (index < people.length - 1) await web.operate('team.accept', { token }, email);
  }
}

async function fillDevelopers(web: WebUnderTest, receiver: Receiver): Promise<Pick<BusyAccount, 'clientId' | 'webhookId'>> {
  for (let index = 0; index < 30; index += 1) {
    const name = programs[index % programs.length] ?? '';
    await web.callWeb('key.create', { name: index < programs.length ? name : `${name} ${index}` });
  }
  const apps: Answer[] = [];
  for (const [index, name] of appNames.entries()) {
    const homepage = 'https://apps.example.com';
    const chosen = scopes.slice(0, 1 + index);
    apps.push(await web.callWeb('app.create', { name, homepage, redirect_uris: [`${homepage}/${index}`], scopes: chosen }));
  }
  const webhooks = [];
  for (const path of [
    '/errand',
    '/down',
    '/a/rather/long/address/of/a/receiver?tenant=research-and-development&environment=production',
  ]) {
    webhooks.push(await web.call('webhook.create', { url: receiver.url(path) }));
  }
  receiver.answer('/down', 500);
  const [webhook] = webhooks as { webhook: { id: string } }[];
  return { clientId: String(apps[3]?.client_id), webhookId: webhook?.webhook.id ?? '' };
}

async function fillTools(web: WebUnderTest, server: McpServerUnderTest): Promise<string> {
  for (const name of ['Garden', 'Orders of the warehouse'])
    await web.call('connector.create', {
      name,
      url: server.url,
      description: 'Knows what grows where.',
      enabled_by_default: true,
    });
  const { data: connectors } = (await web.call('connector.list')) as { data: { id: string }[] };
  for (const name of ['friendly-letters', 'quarterly-report', 'checks-before-release']) {
    const description = `How ${name.replaceAll('-', ' ')} are done here. Use it for every one of them.`;
    await web.call('skill.create', { content: `---\nname: ${name}\ndescription: ${description}\n---\n\nKeep it short.` });
  }
  for (let index = 0; index < 6; index += 1)
    await web.call('project.create', {
      name: index === 0 ? 'Letters to customers' : `Project number ${index} with a name of some length`,
      instruction: index % 2 === 0 ? 'Be brief and kind.\nNever promise a date.' : '',
      connectors: connectors.slice(0, index).map(({ id }) => id),
    });
  const { data } = (await web.call('project.list')) as { data: { id: string }[] };
  return data[0]?.id ?? '';
}

/** What starts tasks without anybody, and what tasks have noted. */
async function fillAutomation(web: WebUnderTest): Promise<Pick<BusyAccount, 'scheduleId' | 'triggerId'>> {
  const made: { schedule: { id: string } }[] = [];
  for (const name of ['Weekly report', 'A schedule with a name that is longer than most of them are on any page']) {
    const times = { cron: '0 9 * * mon-fri', time_zone: 'America/Argentina/Buenos_Aires' };
    made.push((await web.call('schedule.create', { name, message: 'say the report', ...times })) as never);
  }
  const scheduleId = made[0]?.schedule.id ?? '';
  await web.call('schedule.runNow', { schedule_id: scheduleId });
  const { trigger } = (await web.call('trigger.create', {
    ...{ name: 'Problems', message_template: 'say {{/issue/title}} {{/issue/nothing}}', verification: { type: 'github' } },
    filter: [{ pointer: '/action', equals: 'opened' }],
  })) as { trigger: { id: string } };
  await web.call('trigger.try', { trigger_id: trigger.id, body: { action: 'opened', issue: { title: 'The page is blank' } } });
  await web.call('recipe.create', {
    ...{ name: 'Briefing', message_template: 'say {{length}} briefing about {{topic}}', team: true },
    fields: [
      { name: 'topic', type: 'text', required: true },
      { name: 'length', type: 'choice', choices: ['short', 'thorough'] },
    ],
  });
  for (const path of ['people/ada.md', 'style/a-file-whose-path-is-longer-than-a-phone-is-wide/letters-to-customers.md'])
    await web.call('memory.write', { scope: 'account', path, content: 'Be brief.\n', is_tainted: path.startsWith('style') });
  await web.createTask('ask Which color do you like?', { interactive_mode: true, title: 'Paint the fence' });
  return { scheduleId, triggerId: trigger.id };
}

/** Fills the account with what people have after some months, so that pages show what they look like then. */
export async function fillAccount(web: WebUnderTest, receiver: Receiver, server: McpServerUnderTest): Promise<BusyAccount> {
  const developers = await fillDevelopers(web, receiver);
  await fillTeam(web);
  const projectId = await fillTools(web, server);
  const automation = await fillAutomation(web);
  const titles = [
    'Prices of three laptops',
    'Weekly report',
    'Translate the manual',
    'A task whose title is much longer than any list has room for in one line',
  ];
  let taskId = '';
  for (const title of titles)
    taskId = await web.runTask([`document report.md with # ${title}`, `say ${title}: done.`], [], { title });
  return { taskId, projectId, ...developers, ...automation };
}
