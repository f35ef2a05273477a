/**
 * The client that the conformance kit starts for each scenario: has a running service connect the kit's server, signs in there if it
 * asks for that, and has a task call its tools.
 */
import { randomUUID } from 'node:crypto';
import { WebBrowser } from '../../test/support/http/scriptless-browser.ts';
import { ask, callTools } from './running-service.mjs';

const { ERRAND_URL: url = '', ERRAND_API_KEY: apiKey = '', ERRAND_COOKIES: cookies = '[]' } = process.env;
const access = { url, apiKey };
/** @type {{ client_id?: string, client_secret?: string, toolCalls?: { name: string, arguments: object }[] }} */
const given = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
/** A person would give up after these. */
const mostSignIns = 3;

/** @typedef {{ id: string, status: string, tools: string[] }} Connector */

/** What the kit's tools take. @type {Record<string, object>} */
const sampleInputs = { add_numbers: { a: 5, b: 3 } };

/**
 * Signs in as a person would in a browser; the kit's authorization server agrees at once.
 * @param {WebBrowser} browser
 * @param {string} id
 */
async function signIn(browser, id) {
  const { status, body } = await browser.call('connector.signIn', { connector_id: id });
  if (status !== 200) throw new Error(`connector.signIn: ${JSON.stringify(body)}`);
  const agreed = await fetch(String(body.authorization_url), { redirect: 'manual' });
  const back = agreed.headers.get('location');
  if (back === null) throw new Error(`the authorization server answered ${agreed.status}: ${await agreed.text()}`);
  const { pathname, search } = new URL(back);
  const { location } = await browser.send(`${pathname}${search}`);
  console.log(`came back to ${location}`);
}

/** @param {string} id @returns {Promise<Connector>} */
async function find(id) {
  const { data } = await ask(access, 'connector.list', {});
  return data.find((/** @type {Connector} */ connector) => connector.id === id);
}

/** @param {string} server */
async function connect(server) {
  const browser = new WebBrowser(url);
  for (const [name, value] of JSON.parse(cookies)) browser.cookies.set(name, value);
  const name = `c${randomUUID().slice(0, 8)}`;
  const client = given.client_id !== undefined && { oauth_client_id: given.client_id, oauth_client_secret: given.client_secret };
  const { connector: made } = await ask(access, 'connector.create', { name, url: server, ...client });
  let connector = /** @type {Connector} */ (made);
  for (let signIns = 0; signIns < mostSignIns; signIns += 1) {
    console.log(JSON.stringify(connector));
    if (connector.status === 'needs_sign_in') await signIn(browser, connector.id);
    connector = await find(connector.id);
    const wanted = given.toolCalls ?? connector.tools.map((tool) => ({ name: tool, arguments: sampleInputs[tool] ?? {} }));
    const calls = wanted.map(({ name: tool, arguments: input }) => ({ tool: `mcp__${name}__${tool}`, input }));
    if (connector.status === 'connected') console.log(await callTools(access, connector.id, calls));
    connector = await find(connector.id);
    if (connector.status === 'connected') return;
  }
}

await connect(process.argv[2] ?? '');
