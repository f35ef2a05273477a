/**
 * Where the service has what English needs of the typeface: a file of the web application, so whoever signs in has loaded it for the
 * application, too. Its name ends with a hash of its content, because browsers keep it permanently.
 */
export const typefaceUrl = '/assets/inter-latin-54778403.woff2';

/** The rest of Latin, which only pages in other languages load. */
const restUrl = '/assets/inter-latin-ext-106bb701.woff2';

function fontRule(url: string, range: string): string {
  return `@font-face{font-family:Inter;font-weight:400 600;font-display:optional;src:url(${url}) format("woff2");unicode-range:${range}}`;
}

/** The style that makes Inter known to a page, as style.css of the web application does. A font that comes late shifts nothing. */
export const typeface = `
${fontRule(typefaceUrl, 'U+20-7E,U+A0,U+B7,U+D7,U+2013-2014,U+2018-2019,U+201C-201D,U+2022,U+2026,U+20AC,U+2192,U+2212')}
${fontRule(restUrl, 'U+A1-B6,U+B8-D6,U+D8-17F,U+2010-2012,U+201A,U+201E,U+2032-2033,U+2039-203A,U+2122,U+2190-2191,U+2193,U+2248,U+2260,U+2264-2265')}`;
