import { formatTable } from './print.ts';

/** What the banner shows. */
export interface BannerFacts {
  url: string;
  model: string;
  dataDir: string;
  /** The key that this start created; null if there was an account already or the key was given. */
  firstApiKey: string | null;
}

/** What the service prints at its start in a terminal. */
export function renderBanner({ url, model, dataDir, firstApiKey }: BannerFacts): string {
  const isOffline = model.startsWith('offline/');
  const rows = [
    ['  URL', url],
    [
      '  API key',
      firstApiKey === null
        ? 'created at the first start; create another with errand key create'
        : `${firstApiKey}   (shown only once)`,
    ],
    ['  model', isOffline ? `${model}   (no model is connected: open ${url}/instance/models, or set ERRAND_MODEL)` : model],
    ['  data', dataDir],
  ];
  const example = [
    `  curl ${url}/v2/task.create \\`,
    `    -H 'x-service-api-key: ${firstApiKey ?? 'YOUR_KEY'}' -H 'content-type: application/json' \\`,
    `    -d '{"message": {"content": "write hello.md with Hello"}}'`,
  ];
  return ['', 'Errand is ready.', '', formatTable(rows), '', 'Try it:', '', ...example, ''].join('\n');
}
