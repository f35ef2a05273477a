import { request } from 'node:http';

export interface PreviewAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export interface PreviewVisit {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Stops reading after so many bytes. */
  most?: number;
}

/** Visits an address below `localhost`, which browsers resolve themselves. */
export function visitPreview(address: string, { method = 'GET', headers = {}, body, most = Infinity }: PreviewVisit = {}) {
  const { port, host, pathname, search } = new URL(address);
  return new Promise<PreviewAnswer>((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, method, path: pathname + search, headers: { host, ...headers } },
      (response) => {
        let text = '';
        const finish = () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        response.setEncoding('latin1');
        response.on('data', (chunk: string) => {
          text += chunk;
          if (text.length < most) return;
          response.destroy();
          finish();
        });
        response.on('end', finish);
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
