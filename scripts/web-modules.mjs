/**
 * The web application: its modules are the folders of web/src. Below are those that pages are made of; each page area is next to
 * the others and knows none of them, so that each loads alone.
 */
const shared = ['text', 'api', 'ui', 'markdown', 'composer', 'task-list'];

/** @type {Record<string, readonly string[]>} */
const webModules = {
  text: [],
  api: [],
  ui: ['text'],
  markdown: ['text', 'ui'],
  composer: ['text', 'api', 'ui'],
  'task-list': ['text', 'api', 'ui'],
  automation: ['text', 'api', 'ui', 'budgets', 'composer'],
  budgets: ['text', 'api', 'ui'],
  brands: ['text', 'api', 'ui', 'composer'],
  models: ['text', 'api', 'ui'],
  previews: ['text', 'api', 'ui', 'markdown'],
  home: shared,
  task: [...shared, 'previews', 'budgets'],
  library: [...shared, 'previews'],
  share: [...shared, 'previews', 'task'],
  examples: [...shared, 'previews', 'task'],
  agent: [...shared, 'task'],
  inbox: [...shared, 'task'],
  schedules: [...shared, 'automation'],
  recipes: [...shared, 'automation'],
  triggers: [...shared, 'automation'],
  projects: [...shared, 'brands'],
  connectors: shared,
  skills: shared,
  memory: shared,
  usage: [...shared, 'budgets'],
  developers: shared,
  settings: [...shared, 'brands', 'models'],
  instance: [...shared, 'automation', 'models'],
  team: shared,
};

/** Packages that only some modules use, because they are large or need care; all others of the application are everybody's. */
/** @type {Record<string, readonly string[]>} */
const webOwners = {
  'radix-ui': ['ui', 'previews'],
  '@tanstack/react-virtual': ['ui', 'task', 'previews'],
  cmdk: ['app'],
  marked: ['markdown'],
  'highlight.js': ['markdown', 'previews'],
  'csv-parse': ['previews'],
  hucre: ['previews'],
  'docx-preview': ['previews'],
  fflate: ['skills', 'previews'],
  saxes: ['previews'],
  'pdfjs-dist': ['previews'],
  'qrcode-generator': ['settings'],
};

const everywhere = new Set([
  '@errand/client',
  '@tanstack/react-query',
  '@tanstack/react-router',
  'lucide-react',
  'react',
  'react-dom',
]);

/** @param {string} filePath */
function webModuleOf(filePath) {
  return filePath.split('/')[2] ?? '';
}

/**
 * @param {string} from path of the file that imports
 * @param {string} name of the package
 */
function checkPackage(from, name) {
  const allowed = webOwners[name];
  if (allowed === undefined && !everywhere.has(name)) {
    return { problem: `web → ${name}`, remedy: 'It has no owner yet: name its modules in scripts/web-modules.mjs.' };
  }
  if (allowed === undefined || allowed.includes(webModuleOf(from))) return null;
  return { problem: `web/${webModuleOf(from)} → ${name}`, remedy: `Only ${allowed.join(', ')} may use it.` };
}

/**
 * What is wrong with an import inside the web application; null when nothing is. `app` sees everything.
 * @param {string} from path of the file that imports
 * @param {import('./imports.mjs').Import} found
 * @param {string} packageName
 */
export function checkWebImport(from, found, packageName) {
  if (!found.isFile) return checkPackage(from, packageName);
  const [module, to] = [webModuleOf(from), webModuleOf(found.target)];
  if (!found.target.startsWith('web/src/')) {
    return { problem: `web → ${found.target}`, remedy: 'The web application imports itself and @errand/client only.' };
  }
  if (module === to || module === 'app' || webModules[module]?.includes(to)) return null;
  const allowed = webModules[module]?.join(', ') ?? 'nothing: give it a row in scripts/web-modules.mjs';
  return { problem: `web/${module} → web/${to} (imports ${found.target})`, remedy: `web/${module} may import ${allowed}.` };
}
