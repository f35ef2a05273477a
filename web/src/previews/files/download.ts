/** The address under which a file of the content origin is saved instead of shown: browsers ignore `download` across origins. */
export function downloadAddress(url: string): string {
  return `${url}&download=true`;
}

/** Starts a download in the background of the page. */
export function startDownload(url: string, filename: string): void {
  const link = Object.assign(document.createElement('a'), { href: downloadAddress(url), download: filename, rel: 'noreferrer' });
  document.body.append(link);
  link.click();
  link.remove();
}
