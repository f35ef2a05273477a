import type { Page } from 'playwright-core';
import type { Answer, WebUnderTest } from './web-under-test.ts';

const skillOf = (name: string, description: string, body: string) =>
  `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n${body}`;

/** An operation of the application itself, as its pages call it. Answers what it said, also when it refused. */
async function callPage(page: Page, operation: string, input: Answer): Promise<Answer> {
  const request = {
    method: 'POST',
    headers: { 'x-errand-web': '1', 'content-type': 'application/json' },
    body: JSON.stringify(input),
  };
  return page.evaluate(`fetch('/web/${operation}', ${JSON.stringify(request)}).then((answer) => answer.json())`);
}

export interface HostileAddresses {
  /** Takes what webhooks send. */
  receiver: string;
  /** Of an MCP server, whose tools may say anything as well. */
  server: string;
}

/**
 * Gives everything that has a name or a text in an account one that attacks: projects, the agent, connectors, skills, keys,
 * applications, webhooks, the team, invitations. What is refused is answered, by operation.
 */
export async function fillHostileAccount(
  web: WebUnderTest,
  payloads: readonly string[],
  { receiver, server }: HostileAddresses,
): Promise<string[]> {
  const oneLine = payloads.map((payload) => payload.replaceAll('\n', ' '));
  const all = payloads.join('\n');
  const refused: string[] = [];
  const page = await web.open('/settings');
  const tryWeb = async (operation: string, input: Answer) => {
    const answer = await callPage(page, operation, input);
    if (answer.ok !== true) refused.push(operation);
  };
  await web.call('project.create', { name: oneLine[0]?.slice(0, 100), instruction: all });
  const [agent] = (await web.call('agent.list')).data as { id: string }[];
  await web.call('agent.update', { agent_id: agent?.id, nickname: '<img src=x onerror=alert(1)>', about: all.slice(0, 1000) });
  for (const payload of oneLine.slice(0, 6)) {
    await web.call('connector.create', {
      name: payload.slice(0, 100),
      description: all.slice(0, 1000),
      category: '<img src=x onerror=alert(1)>',
      url: `${server}?x=<svg onload=alert(1)>`,
    });
    await tryWeb('key.create', { name: payload.slice(0, 100) });
    await tryWeb('app.create', {
      name: payload.slice(0, 60),
      homepage: 'https://app.example/?<script>alert(1)</script>',
      redirect_uris: ['https://app.example/<img%20src=x>?"><script>'],
    });
  }
  await tryWeb('app.create', { name: 'script', redirect_uris: ['javascript:alert(1)'] });
  await web.call('skill.create', { content: skillOf('hostile', oneLine.slice(0, 5).join(' ').slice(0, 500), all) });
  await web.call('webhook.create', { url: `${receiver}/<img/src=x/onerror=alert(1)>?"><script>alert(1)</script>` });
  await tryWeb('team.create', { name: oneLine[7]?.slice(0, 60) });
  await tryWeb('team.invite', { email: '"><img/src=x/onerror=alert(1)>"@example.com' });
  await tryWeb('team.invite', { email: 'img+onerror=alert(1)@example.com' });
  await page.close();
  return refused;
}
