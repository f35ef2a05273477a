/** How a program names itself in `User-Agent`; if it names several, the real one comes first. */
const browsers: readonly (readonly [sign: RegExp, name: string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera|OPX|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const systems: readonly (readonly [sign: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

const longestRead = 500;

function find(table: readonly (readonly [RegExp, string])[], text: string): string | null {
  return table.find(([sign]) => sign.test(text))?.[1] ?? null;
}

/**
 * The usual name of a browser, such as `Firefox on Linux`: only our own words, whatever was sent. Null if neither browser nor system
 * is known. It helps to distinguish browsers and proves nothing.
 */
export function nameBrowser(userAgent: string | undefined): string | null {
  const text = (userAgent ?? '').slice(0, longestRead);
  const [browser, system] = [find(browsers, text), find(systems, text)];
  if (browser !== null && system !== null) return `${browser} on ${system}`;
  return browser ?? system;
}
