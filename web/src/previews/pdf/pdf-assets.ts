/** Character maps, standard fonts, and image decoders: files of the service, loaded when a PDF needs them. */
const assets = import.meta.glob<string>(
  [
    '/../node_modules/pdfjs-dist/cmaps/*.bcmap',
    '/../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}',
    '/../node_modules/pdfjs-dist/wasm/*.wasm',
  ],
  { query: '?url', import: 'default', eager: true },
);

const urlByName: ReadonlyMap<string, string> = new Map(
  Object.entries(assets).map(([path, url]) => [path.slice(path.lastIndexOf('/') + 1), url]),
);

/** How the library loads these files under their build names. */
export class AssetFactory {
  async fetch({ filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const url = urlByName.get(filename);
    if (url === undefined) throw new Error(`there is no ${filename}`);
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${filename} cannot be loaded`);
    return new Uint8Array(await response.arrayBuffer());
  }
}
