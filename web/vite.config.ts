import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { blockingScript } from './build/blocking-script.ts';
import { installable } from './build/installable.ts';
import { compressedAssets } from './build/compressed-assets.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('.'),
  base: '/',
  publicDir: false,
  plugins: [
    react(),
    tailwindcss(),
    blockingScript(here('theme.js')),
    installable({ worker: here('service-worker.js'), icon: here('src/app/icon.svg'), offline: here('offline') }),
    compressedAssets(),
  ],
  // Workers load their parsers when they need them.
  worker: { format: 'es' },
  resolve: {
    alias: [
      { find: /^@errand\/client$/, replacement: here('../packages/client/src/index.ts') },
      { find: /^@errand\/client\//, replacement: here('../packages/client/src/') },
    ],
  },
  build: {
    outDir: here('dist'),
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: ['chrome123', 'safari17.5', 'firefox128'],
    // Texts that licenses want beside the code; the packages themselves are not installed in production.
    license: { fileName: 'licenses.md' },
    // The policy of the page allows neither data addresses as scripts nor scripts in the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      // Fonts are named after their content already, so that pages outside this build can name them.
      output: { assetFileNames: ({ names: [name = ''] }) => `assets/[name]${name.endsWith('.woff2') ? '' : '-[hash]'}[extname]` },
    },
  },
});
