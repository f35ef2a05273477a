/**
 * An allowance that breaks the pattern is written as an object and says why it is there.
 * @typedef {string | { module: string, typesOnly?: boolean, because: string }} Allowance
 */

/** The service's workspace packages, each a module. */
export const packages = ['base', 'documents', 'sandbox'];

/**
 * Which module may import which. A module is a package, a folder directly under src, or a file there.
 * @type {Record<string, readonly Allowance[]>}
 */
export const modules = {
  base: [],
  documents: ['base'],
  sandbox: ['base'],
  rules: ['base'],
  store: ['base', 'rules'],
  models: ['base', 'rules'],
  skills: ['base', 'rules', 'store', 'sandbox'],
  tools: ['base', 'rules', 'store', 'models', 'sandbox', 'documents'],
  connectors: ['base', 'rules', 'store', 'sandbox', 'tools'],
  agent: ['base', 'rules', 'models', 'sandbox', 'tools'],
  bridges: ['base', 'rules', 'store'],
  work: ['base', 'rules', 'store', 'sandbox', 'agent'],
  api: ['base', 'rules', 'store'],
  legacy: ['base', 'rules', 'store', 'api'],
  sso: ['base', 'rules'],
  oauth: [
    'base',
    'rules',
    'store',
    'sso',
    { module: 'api', because: 'pages take names, addresses and passwords as operations do' },
  ],
  mcp: ['base'],
  http: ['base', 'rules', 'store', 'api', 'legacy', 'oauth', 'mcp'],
  config: ['base', 'rules'],
  app: [
    'base',
    'rules',
    'store',
    'models',
    'sandbox',
    'documents',
    'tools',
    'agent',
    'work',
    'api',
    'oauth',
    'sso',
    'http',
    'config',
    'skills',
    'connectors',
    'bridges',
  ],
  doctor: ['base', 'app', 'bridges', 'config', 'documents', 'http', 'models', 'oauth', 'sandbox', 'sso'],
  cli: ['base', 'config', 'app', 'doctor', 'mcp'],
  main: ['base', 'cli'],
};

/**
 * The folders of a module, lowest first: a folder may import those before it. Unlisted files are above all folders.
 * @type {Record<string, readonly string[]>}
 */
export const orders = {
  'packages/base/src': [
    ...['clock.ts', 'steady-clock.ts', 'fault.ts', 'start-fault.ts', 'ids.ts', 'log.ts', 'metrics.ts', 'service-lifecycle.ts'],
    'program-version.ts',
    ...['text', 'signals', 'load', 'secrets', 'net', 'threads'],
  ],
  'packages/documents/src': [
    ...['clean-text.ts', 'palette.ts', 'generator-outcome.ts'],
    ...[
      'tables',
      'fonts',
      'pictures',
      'content',
      'pdf',
      'text-documents',
      'charts',
      'spreadsheets',
      'slides',
      'page-decks',
      'covers',
      'kit',
    ],
  ],
  'packages/sandbox/src': ['workspace', 'egress', 'sandbox.ts', 'limits', 'programs', 'bubblewrap', 'workbench', 'press'],
  'src/rules': [
    ...['memory', 'http', 'egress', 'websites', 'accounts', 'instance', 'agents', 'skills', 'events', 'connectors', 'artifacts'],
    ...[
      'files',
      'messages',
      'output',
      'credits',
      'budgets',
      'context',
      'inbox',
      'tasks',
      'oauth',
      'webhooks',
      'schedules',
      'triggers',
    ],
    'recipes',
  ],
  'src/store': [
    ...[
      'db',
      'blobs',
      'backup',
      'budgets',
      'credits',
      'webhooks',
      'events',
      'websites',
      'artifacts',
      'files',
      'projects',
      'skills',
      'memory',
      'instance',
    ],
    ...['tasks', 'inbox', 'agents', 'accounts', 'connectors', 'oauth', 'bridges', 'schedules', 'triggers', 'recipes'],
  ],
  'src/models': ['call-input.ts', 'model.ts', 'token-estimate.ts', 'providers', 'speech', 'offline'],
  'src/tools': ['toolbox', 'skills', 'tasks', 'files', 'commands', 'pages', 'deliverables', 'web', 'browser'],
  'src/work': ['accounts', 'credits', 'instance', 'triggers', 'webhooks', 'artifacts', 'memory', 'tasks', 'budgets', 'schedules'],
  'src/api': [
    ...[
      'contract',
      'budgets',
      'files',
      'artifacts',
      'events',
      'messages',
      'connectors',
      'skills',
      'projects',
      'agents',
      'memory',
      'inbox',
    ],
    ...[
      'tasks',
      'websites',
      'webhooks',
      'credits',
      'accounts',
      'oauth',
      'bridges',
      'schedules',
      'instance',
      'triggers',
      'recipes',
    ],
  ],
  'src/http': [
    ...['rate-limits', 'server', 'authentication', 'streaming', 'operations', 'triggers', 'content', 'legacy', 'openapi', 'web'],
    ...['instance', 'service'],
  ],
  'src/oauth': ['request', 'authorization-server', 'pages', 'routes'],
  'src/oauth/pages': ['layout', 'session', 'connectors', 'consent', 'sign-in'],
  'src/bridges': ['text', 'platform', 'telegram', 'slack', 'chats'],
  'src/cli': ['exit-code.ts', 'shell.ts', 'input', 'output', 'transport', 'tasks', 'commands'],
};
