import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { controlSocketPath, isServed } from '../cli/control-transport.ts';
import { terminalLine } from '../cli/output.ts';
import type { Shell } from '../cli/shell.ts';

/** `missing`: it runs, with less; `failed`: it cannot run. */
export interface Check {
  name: string;
  state: 'ok' | 'missing' | 'failed';
  found: string;
  remedy?: string;
}

const oldestNode = 24;
const modelPatienceMs = 20_000;
const leastFreeBytes = 1_000_000_000;

export function checkNode({ nodeVersion }: Shell): Check {
  const isEnough = Number.parseInt(nodeVersion, 10) >= oldestNode;
  if (isEnough) return { name: 'node', state: 'ok', found: nodeVersion };
  return {
    name: 'node',
    state: 'failed',
    found: nodeVersion,
    remedy: `needs ${oldestNode} or later; npm ci brings it, start with npm start or bin/errand`,
  };
}

/** The folder itself, or the nearest one above that exists and in which it would be made. */
async function findExisting(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  return isThere || dirname(folder) === folder ? folder : findExisting(dirname(folder));
}

export async function checkDataFolder({ config: { dataDir } }: Shell): Promise<Check> {
  const name = 'data folder';
  const existing = await findExisting(dataDir);
  try {
    if (!(await stat(existing)).isDirectory()) throw new Error(`${existing} is not a folder`);
    await access(existing, constants.W_OK | constants.X_OK);
  } catch (error) {
    return {
      name,
      state: 'failed',
      found: `cannot write to ${dataDir}: ${(error as Error).message}`,
      remedy: 'set ERRAND_DATA_DIR to a folder of your own',
    };
  }
  return { name, state: 'ok', found: existing === dataDir ? dataDir : `${dataDir} (made at the first start)` };
}

export async function checkDatabase({ config }: Shell): Promise<Check> {
  const name = 'database';
  const kind = config.secrets.databaseUrl === null ? 'embedded SQLite' : 'PostgreSQL';
  try {
    const { readSchema } = await import('../app/database-schema.ts');
    const { current, shipped } = await readSchema(config);
    if (current > shipped) {
      return {
        name,
        state: 'failed',
        found: `${kind} has schema version ${current}, this version knows ${shipped}`,
        remedy: 'use a newer version of errand',
      };
    }
    const state = current === shipped ? `version ${current}` : `version ${current}, brought to ${shipped} by the next start`;
    return { name, state: 'ok', found: `${kind}, schema ${current === 0 ? 'made at the first start' : state}` };
  } catch (error) {
    const remedy =
      kind === 'PostgreSQL' ? 'check ERRAND_DATABASE_URL and that the server runs' : 'restore the data folder from a backup';
    return { name, state: 'failed', found: terminalLine((error as Error).message), remedy };
  }
}

async function tryListening(name: string, host: string, port: number, remedy: string): Promise<Check> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject);
      probe.listen(port, host, resolve);
    });
    return { name, state: 'ok', found: `${host}:${port} is free` };
  } catch (error) {
    return { name, state: 'failed', found: `cannot listen on ${host}:${port}: ${(error as Error).message}`, remedy };
  } finally {
    probe.close();
  }
}

/** Whether the service runs already, or could listen where it is told to: with its API, and with the content origin. */
export async function checkAddresses({ config }: Shell): Promise<Check[]> {
  const { host, port, contentPort, dataDir } = config;
  const [name, contentName] = ['address', 'content origin'];
  if (await isServed(controlSocketPath(dataDir)).catch(() => false)) {
    const found = 'a service runs on this data folder';
    return [name, contentName].map((each) => ({ name: each, state: 'ok', found }));
  }
  return Promise.all([
    tryListening(name, host, port, 'choose another ERRAND_PORT or ERRAND_HOST'),
    tryListening(contentName, host, contentPort, 'choose another ERRAND_CONTENT_PORT'),
  ]);
}

/** Whether files can be kept where they are to be kept. */
export async function checkFiles({ config, clock }: Shell): Promise<Check> {
  const name = 'files';
  const { tryFiles } = await import('./files-check.ts');
  const { place, freeBytes, problem } = await tryFiles(config, await findExisting(config.dataDir), clock);
  if (problem !== null) {
    const remedy =
      'check ERRAND_BLOBS, ERRAND_S3_ACCESS_KEY_ID and ERRAND_S3_SECRET_ACCESS_KEY; uploads answer 503 until it works';
    return { name, state: 'failed', found: `${place}: ${terminalLine(problem)}`, remedy };
  }
  if (freeBytes === null) return { name, state: 'ok', found: `${place} takes, gives back and removes` };
  const found = `${(freeBytes / 1e9).toFixed(1)} GB free for ${place}`;
  if (freeBytes >= leastFreeBytes) return { name, state: 'ok', found };
  return {
    name,
    state: 'missing',
    found,
    remedy: 'make room, or set ERRAND_BLOBS to a bucket; uploads answer 503 when it is full',
  };
}

export async function checkModels({ config, clock }: Shell): Promise<Check[]> {
  const { tryModels } = await import('./model-check.ts');
  const checks = await tryModels(config, clock, modelPatienceMs);
  return checks.map(({ name: model, profiles, unpriced, tookMs, problem }) => {
    const name = 'model';
    const found = `${model} for ${profiles.join(', ')}`;
    if (model.startsWith('offline/')) {
      const remedy = 'run Ollama or LM Studio on this machine, or set ERRAND_MODEL=provider/model with ERRAND_MODEL_API_KEY';
      return { name, state: 'missing', found: `${found}: no model is configured, it follows explicit lines only`, remedy };
    }
    const price =
      unpriced.length === 0 ? '' : '; its price is not known, so that sessions cost one credit (ERRAND_PRICES sets it)';
    if (problem === null) return { name, state: 'ok', found: `${found}: answered in ${tookMs} ms${price}` };
    const remedy = 'check ERRAND_MODEL, ERRAND_MODEL_API_KEY and ERRAND_MODEL_BASE_URL; tasks end with an error until it answers';
    return { name, state: 'missing', found: `${found}: ${terminalLine(problem.replace(`${model}: `, ''))}`, remedy };
  });
}

/** Lets the speech model listen to half a second of silence. */
export async function checkTranscription({ config, clock }: Shell): Promise<Check> {
  const name = 'transcription';
  const { trySpeech } = await import('./speech-check.ts');
  const { name: model, problem } = await trySpeech(config, clock, modelPatienceMs);
  if (model === null) {
    const remedy = 'set ERRAND_SPEECH_MODEL, for example to openai/gpt-4o-mini-transcribe with OPENAI_API_KEY';
    return { name, state: 'missing', found: 'voice messages are not transcribed: there is no speech model', remedy };
  }
  if (problem === null) return { name, state: 'ok', found: `${model} listens` };
  const remedy = 'check ERRAND_SPEECH_MODEL, ERRAND_SPEECH_BASE_URL and ERRAND_SPEECH_API_KEY';
  return { name, state: 'missing', found: `${model}: ${terminalLine(problem.replace(`${model}: `, ''))}`, remedy };
}

/** What requests of the service may reach; whether anything is there only a request can tell. */
export function checkOutbound({ config: { outboundAllow } }: Shell): Check {
  const exceptions = outboundAllow.length === 0 ? '' : ` and ${outboundAllow.join(', ')}`;
  return { name: 'outbound', state: 'ok', found: `public addresses${exceptions} may be reached` };
}

/** Tries every guard of the sandbox for real, as the start of a worker does, and finds what tools would run in it. */
export async function checkSandbox({ clock }: Shell): Promise<Check[]> {
  const { trySandbox } = await import('./sandbox-check.ts');
  const { languages, programs, problem } = await trySandbox(clock);
  if (problem !== null) return [{ name: 'sandbox', state: 'missing', found: `agents run no commands and no code: ${problem}` }];
  const speech: Check = programs.includes('espeak-ng')
    ? { name: 'speech', state: 'ok', found: 'espeak-ng' }
    : {
        name: 'speech',
        state: 'missing',
        found: 'agents make no sound: there is no espeak-ng',
        remedy: 'apt-get install espeak-ng',
      };
  return [{ name: 'sandbox', state: 'ok', found: `bubblewrap holds; shell, ${languages.join(', ')}` }, speech];
}

/** The fonts that PDFs, charts and pictures are written with. */
export async function checkFonts(): Promise<Check> {
  const { hasEastAsianFonts } = await import('./font-check.ts');
  const own = 'Latin, Greek and Cyrillic come along';
  if (hasEastAsianFonts()) return { name: 'fonts', state: 'ok', found: `${own}; Chinese, Japanese and Korean are there` };
  const found = `${own}; PDFs and charts hold no Chinese, Japanese or Korean`;
  return { name: 'fonts', state: 'missing', found, remedy: 'apt-get install fonts-noto-cjk' };
}

/** What people open in a browser. */
export async function checkWeb(): Promise<Check> {
  const name = 'web application';
  const { isWebBuilt } = await import('./web-app-check.ts');
  if (isWebBuilt()) return { name, state: 'ok', found: 'built' };
  return { name, state: 'missing', found: 'not built; the API works without it', remedy: 'npm run build' };
}

/** Asks the search engine one question, which proves address and key at once. */
export async function checkSearch({ config, clock }: Shell): Promise<Check> {
  const name = 'search';
  if (config.search === null) {
    const remedy = 'set ERRAND_SEARCH to searxng (with ERRAND_SEARCH_URL), brave or tavily (with ERRAND_SEARCH_API_KEY)';
    return { name, state: 'missing', found: 'agents do not search the web', remedy };
  }
  const { trySearch } = await import('./search-check.ts');
  const { found, problem } = await trySearch(config, clock);
  if (problem === null) return { name, state: 'ok', found: `${config.search.kind} answers with ${found} results` };
  const remedy = 'check ERRAND_SEARCH, ERRAND_SEARCH_URL and ERRAND_SEARCH_API_KEY';
  return { name, state: 'missing', found: `${config.search.kind}: ${terminalLine(problem)}`, remedy };
}

/** What commands of agents may reach. */
export function checkEgress({ config: { sandboxEgress } }: Shell): Check {
  const name = 'egress';
  if (sandboxEgress.kind === 'none')
    return { name, state: 'ok', found: 'commands of agents have no network (ERRAND_SANDBOX_EGRESS)' };
  const found = sandboxEgress.kind === 'public' ? 'public hosts' : sandboxEgress.patterns.join(', ');
  return { name, state: 'ok', found: `commands of agents reach ${found}` };
}

/** Opens a page in the browser as agents do. */
export async function checkBrowser({ clock }: Shell): Promise<Check> {
  const { tryBrowser } = await import('./browser-check.ts');
  const { program, problem } = await tryBrowser(clock);
  if (problem === null) return { name: 'chromium', state: 'ok', found: `${program} works in the sandbox` };
  const remedy = program === null ? 'on Debian and Ubuntu: apt-get install chromium' : 'look at docs/operate/sandbox.md';
  return { name: 'chromium', state: 'missing', found: `agents do not browse: ${terminalLine(problem)}`, remedy };
}

/** Asks the chat platforms whose tokens these are. */
export async function checkBridges({ config, clock }: Shell): Promise<Check[]> {
  const { tryBridges } = await import('./bridge-check.ts');
  const checks = await tryBridges(config, clock);
  if (checks.length === 0) return [{ name: 'chats', state: 'ok', found: 'no bot is configured (docs/operate/chat-bridges.md)' }];
  return checks.map(({ platform: name, name: bot, problem }) => {
    if (problem === null) return { name, state: 'ok', found: `people talk to their agent through ${terminalLine(bot)}` };
    const remedy = `check the token (ERRAND_${name.toUpperCase()}_…); until it works nobody is heard from there`;
    return { name, state: 'missing', found: terminalLine(problem), remedy };
  });
}
