import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import type { Plugin } from 'vite';
import { composeOfflinePage } from './offline-page.ts';

export interface InstallableFiles {
  /** Path of the service worker. */
  worker: string;
  /** Path of the application's icon, an SVG of 32 by 32. */
  icon: string;
  /** Folder of the page that the service worker shows without the service. */
  offline: string;
}

/** Behind the icon where a system cuts it into its own shape. */
const background = '#2f5d50';

async function drawIcon(path: string, size: number, isMaskable: boolean): Promise<Uint8Array> {
  // A system may cut off a fifth at each side.
  const inner = isMaskable ? Math.round(size * 0.7) : size;
  const icon = sharp(path, { density: (72 * inner) / 32 }).resize(inner, inner);
  const edge = Math.floor((size - inner) / 2);
  const around = { top: edge, left: edge, bottom: size - inner - edge, right: size - inner - edge, background };
  const drawn = isMaskable ? icon.flatten({ background }).extend(around) : icon;
  return new Uint8Array(await drawn.png().toBuffer());
}

function nameOf(name: string, content: string | Uint8Array, ending: string): string {
  return `assets/${name}-${createHash('sha256').update(content).digest('base64url').slice(0, 8)}.${ending}`;
}

/**
 * What makes the application installable on phones, and lets it take pushed notifications and open offline: icons, a manifest, and the
 * service worker with its page.
 */
export function installable({ worker, icon, offline }: InstallableFiles): Plugin {
  const tags: { rel: string; href: string }[] = [];
  return {
    name: 'installable',
    apply: 'build',
    async buildStart() {
      tags.splice(0);
      const emit = (fileName: string, source: string | Uint8Array) => {
        this.emitFile({ type: 'asset', fileName, source });
        return `/${fileName}`;
      };
      const draw = async (name: string, size: number, isMaskable = false) => {
        const source = await drawIcon(icon, size, isMaskable);
        return { src: emit(nameOf(name, source, 'png'), source), sizes: `${size}x${size}`, type: 'image/png' };
      };
      const icons = [
        await draw('icon-192', 192),
        await draw('icon-512', 512),
        { ...(await draw('icon-full', 512, true)), purpose: 'maskable' },
      ];
      const look = { display: 'standalone', background_color: '#ffffff', theme_color: background };
      const manifest = JSON.stringify({
        id: '/',
        name: 'Errand',
        short_name: 'Errand',
        start_url: '/',
        scope: '/',
        ...look,
        icons,
      });
      tags.push(
        { rel: 'manifest', href: emit(nameOf('manifest', manifest, 'json'), manifest) },
        { rel: 'apple-touch-icon', href: (await draw('icon-180', 180, true)).src },
      );
      const page = JSON.stringify(composeOfflinePage(offline));
      emit('service-worker.js', `self.offlinePage = ${page};\n${readFileSync(worker, 'utf8')}`);
    },
    transformIndexHtml: () => tags.map((attrs) => ({ tag: 'link', attrs, injectTo: 'head' as const })),
  };
}
