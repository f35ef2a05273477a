import { formatTable } from './output.ts';

export interface BannerFacts {
  url: string;
  model: string;
  dataDir: string;
  /** The key this start made, null when there was an account already or the key was given. */
  firstApiKey: string | null;
}

/** What a person sees who starts the service in a terminal. */
export function renderBanner({ url, model, dataDir, firstApiKey }: BannerFacts): string {
  const isOffline = model.startsWith('offline/');
  const rows = [
    ['  address', url],
    [
      '  API key',
      firstApiKey === null ? 'made at the first start; for another: errand key create' : `${firstApiKey}   (shown only now)`,
    ],
    ['  model', isOffline ? `${model}   (none is configured: set ERRAND_MODEL, see docs/operate/self-hosting.md)` : model],
    ['  data', dataDir],
  ];
  const example = [
    `  curl ${url}/v2/task.create \\`,
    `    -H 'x-service-api-key: ${firstApiKey ?? 'YOUR_KEY'}' -H 'content-type: application/json' \\`,
    `    -d '{"message": {"content": "write hello.md with Hello"}}'`,
  ];
  return ['', 'Errand is ready.', '', formatTable(rows), '', 'Try it:', '', ...example, ''].join('\n');
}
