/** Red, green, and blue from 0 to 255. */
type Channels = [red: number, green: number, blue: number];

function readChannels(color: string): Channels {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as Channels;
}

/** How light a color is, from 0 to 1, by the definition of the Web Content Accessibility Guidelines. */
function luminanceOf(color: string): number {
  const [red, green, blue] = readChannels(color).map((channel) => {
    const part = channel / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colors such as `#0b57b0`, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Whether people take two colors of areas for the same. */
export function looksAlike(one: string, other: string): boolean {
  const second = readChannels(other);
  return Math.hypot(...readChannels(one).map((channel, at) => channel - (second[at] ?? 0))) < 60;
}

/** The color between two others. @param share of the first one, from 0 to 1 */
export function mixColors(first: string, second: string, share: number): string {
  const other = readChannels(second);
  const mixed = readChannels(first).map((channel, at) => Math.round(channel * share + (other[at] ?? 0) * (1 - share)));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
