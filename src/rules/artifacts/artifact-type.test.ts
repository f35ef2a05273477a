import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { artifactFileTypes, artifactTypes, classifyArtifact, extensionOf } from './artifact-type.ts';

const listed = {
  documents: ['pdf', 'doc', 'docx', 'text', 'md', 'mdx', 'txt'],
  spreadsheets: ['xlsx', 'xls', 'csv', 'tsv', 'numbers', 'ods'],
  images: ['jpg', 'jpeg', 'png', 'gif', 'webp', 'svg', 'bmp', 'heic', 'heif'],
  videos: ['mp4', 'avi', 'mov', 'wmv', 'webm', 'mkv', 'm4v', 'mpg', 'mpeg'],
  audio: ['mp3', 'wav', 'flac', 'aac', 'ogg', 'wma', 'm4a', 'aiff', 'opus'],
  others: ['html', 'htm', 'pptx', 'ppt', 'key', 'zip', 'json', 'js', 'exe', 'constructor', '__proto__'],
};

describe('the category of an artifact', () => {
  it.each(Object.entries(listed))('is %s for the extensions of its list, in any case', (type, extensions) => {
    for (const extension of extensions) {
      expect([extension, classifyArtifact('file', extension)]).toEqual([extension, type]);
      expect(classifyArtifact('file', extension.toUpperCase())).toBe(type);
    }
  });

  it('is others for a file without an extension', () => {
    expect(classifyArtifact('file', null)).toBe('others');
  });

  it('is slides for anything created as slides, whatever its extension', () => {
    for (const extension of ['pdf', 'html', 'pptx', 'csv', null]) expect(classifyArtifact('slides', extension)).toBe('slides');
  });

  it('is that of its platform for a site, and others for an unknown platform', () => {
    expect(classifyArtifact('webdev', 'website')).toBe('website');
    expect(classifyArtifact('webdev', 'mobile_app')).toBe('mobile_app');
    expect(classifyArtifact('webdev', 'game')).toBe('game');
    expect(classifyArtifact('webdev', null)).toBe('website');
    expect(classifyArtifact('webdev', 'pdf')).toBe('others');
    expect(classifyArtifact('webdev', 'watch_app')).toBe('others');
    expect(classifyArtifact('website', 'pdf')).toBe('website');
  });

  it('is always exactly one of the ten', () => {
    const extensions = fc.option(fc.oneof(fc.string(), fc.constantFrom(...Object.values(listed).flat())));
    fc.assert(
      fc.property(fc.constantFrom(...artifactFileTypes), extensions, (fileType, extension) => {
        expect(artifactTypes).toContain(classifyArtifact(fileType, extension));
      }),
    );
  });
});

describe('the extension of a filename', () => {
  it.each([
    ['report.PDF', 'pdf'],
    ['a.tar.gz', 'gz'],
    ['dir.d/readme', null],
    ['dir/notes.md', 'md'],
    ['.gitignore', null],
    ['ends.', null],
    ['', null],
  ])('of %j is %j', (name, extension) => {
    expect(extensionOf(name)).toBe(extension);
  });
});
