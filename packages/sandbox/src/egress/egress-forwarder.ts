/** The socket's name in its folder. */
export const socketName = 'proxy.sock';

/** The mount point of the proxy socket in a sandbox. */
export const egressMount = '/run/egress';

const port = 3128;
/** Where programs in the sandbox find the proxy. */
export const proxyAddress = `http://127.0.0.1:${port}`;
const local = 'localhost,127.0.0.1,::1';

/** The variables by which programs find the proxy; some read one spelling, some the other. */
export const proxyEnvironment: Readonly<Record<string, string>> = {
  http_proxy: proxyAddress,
  https_proxy: proxyAddress,
  HTTP_PROXY: proxyAddress,
  HTTPS_PROXY: proxyAddress,
  no_proxy: local,
  NO_PROXY: local,
  NODE_USE_ENV_PROXY: '1',
};

const socket = `${egressMount}/${socketName}`;

const inNode = [
  'const { createServer, connect } = require("node:net");',
  `createServer((client) => { const way = connect("${socket}"); client.pipe(way).pipe(client);`,
  'for (const side of [client, way]) side.on("error", () => { client.destroy(); way.destroy(); }); })',
  `.listen(${port}, "127.0.0.1");`,
].join(' ');

/**
 * Part of the first script: programs expect a proxy at a TCP address, but this one is at a socket. A forwarder listens on the sandbox's
 * loopback; the command starts once it does.
 */
export const startForwarder: readonly string[] = [
  `if hash socat 2>/dev/null; then socat TCP-LISTEN:${port},bind=127.0.0.1,reuseaddr,fork UNIX-CONNECT:${socket} &`,
  `else node -e '${inNode}' & fi </dev/null >/dev/null 2>&1`,
  `for ((tries = 0; tries < 500; tries++)); do : 2>/dev/null <>/dev/tcp/127.0.0.1/${port} && break; sleep 0.01; done`,
];
