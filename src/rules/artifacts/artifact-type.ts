/** The filters of artifact.list (docs/reference/api.md#artifact-types). */
export const artifactTypes = [
  'website',
  'mobile_app',
  'game',
  'documents',
  'slides',
  'spreadsheets',
  'images',
  'videos',
  'audio',
  'others',
] as const;
export type ArtifactType = (typeof artifactTypes)[number];

/**
 * How an artifact is indexed when it is created, whatever its later name. `website` is a plain site without a platform;
 * `webdev` is one with a platform, which replaces the extension.
 */
export const artifactFileTypes = ['file', 'slides', 'website', 'webdev'] as const;
export type ArtifactFileType = (typeof artifactFileTypes)[number];

const formats: Partial<Record<ArtifactType, string>> = {
  documents: 'pdf doc docx text md mdx txt',
  spreadsheets: 'xlsx xls csv tsv numbers ods',
  images: 'jpg jpeg png gif webp svg bmp heic heif',
  videos: 'mp4 avi mov wmv webm mkv m4v mpg mpeg',
  audio: 'mp3 wav flac aac ogg wma m4a aiff opus',
};

const typeByExtension: ReadonlyMap<string, ArtifactType> = new Map(
  Object.entries(formats).flatMap(([type, extensions]) =>
    extensions.split(' ').map((extension) => [extension, type as ArtifactType] as const),
  ),
);

const typeByPlatform: ReadonlyMap<string, ArtifactType> = new Map([
  ['website', 'website'],
  ['mobile_app', 'mobile_app'],
  ['game', 'game'],
]);

/** The extension of a filename, in lower case and without the dot; null if there is none. */
export function extensionOf(filename: string): string | null {
  const name = filename.slice(filename.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 && dot < name.length - 1 ? name.slice(dot + 1).toLowerCase() : null;
}

/**
 * The category of an artifact. Its origin takes precedence over its extension: a deck exported as PDF remains slides, and a site with
 * an unknown platform is none of the three kinds of sites.
 */
export function classifyArtifact(fileType: ArtifactFileType, extension: string | null): ArtifactType {
  if (fileType === 'website') return 'website';
  if (fileType === 'slides') return 'slides';
  const indexed = extension?.toLowerCase() ?? '';
  if (fileType === 'webdev') return indexed === '' ? 'website' : (typeByPlatform.get(indexed) ?? 'others');
  return typeByExtension.get(indexed) ?? 'others';
}
