/** A server for the sandbox of a task, in Node: says what it received, and tries whatever a page of strangers could try. */
export const hostileServer = `
const { createServer } = require('node:http');
const answers = {
  '/': (request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello from the sandbox</h1>'),
  '/echo': async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }));
  },
  '/hostile': (request, response) => {
    response.writeHead(200, {
      'content-type': 'text/html', 'set-cookie': ['errand_session=stolen; Domain=localhost; Path=/', 'a=b'],
      'content-security-policy': 'default-src *', 'access-control-allow-credentials': 'true', 'clear-site-data': '"*"',
      refresh: '0;url=https://evil.example/', link: '<https://evil.example/x.css>; rel=stylesheet', 'service-worker-allowed': '/',
      'strict-transport-security': 'max-age=9', 'x-secret': 'y', 'alt-svc': 'h3="evil.example:443"', 'report-to': '{}',
    });
    response.end('hostile');
  },
  '/password': (request, response) => response.writeHead(401, { 'www-authenticate': 'Basic realm="Errand"' }).end(),
  '/away': (request, response) => response.writeHead(302, { location: 'https://evil.example/' }).end(),
  '/near': (request, response) => response.writeHead(302, { location: 'http://localhost:1/' }).end(),
  '/slashes': (request, response) => response.writeHead(302, { location: '/..//evil.example/' }).end(),
  '/home': (request, response) => response.writeHead(302, { location: './echo?x=1' }).end(),
  '/large': (request, response) => response.end(Buffer.alloc(700_000, 'x')),
  '/cut': (request, response) => { response.writeHead(200, { 'content-length': '100' }); response.write('half'); setTimeout(() => response.destroy(), 50); },
  '/endless': (request, response) => { const go = () => { while (response.write('x'.repeat(65536))); }; response.on('drain', go); go(); },
  '/silent': () => undefined,
};
createServer((request, response) => {
  const answer = answers[request.url.split('?')[0]];
  if (answer) answer(request, response); else response.writeHead(404).end('no such page');
}).on('upgrade', (request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\\r\\nupgrade: websocket\\r\\nconnection: upgrade\\r\\n\\r\\nhello'))
  .listen(3000, '127.0.0.1');
require('node:net').createServer((socket) => socket.on('error', () => 0).end('SSH-2.0-nonsense\\r\\n')).listen(3001, '127.0.0.1', () => console.log('serving'));
`;
