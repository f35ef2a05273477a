/** The URL that makes the content origin send a file as a download: browsers ignore `download` across origins. */
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
