/** The socket's name in its folder. */
export const socketName = 'proxy.sock';

/** Where a sandbox finds the socket of its proxy. */
export const egressMount = '/run/egress';

const port = 3128;
/** Where programs in the sandbox find the proxy. */
export const proxyAddress = `http://127.0.0.1:${port}`;
const local = 'localhost,127.0.0.1,::1';

/** By these variables programs know that there is a proxy; some read the one spelling, some the other. */
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
 * Lines of the first script: programs know proxies at an address, and this one is at a socket. Something in between listens on
 * the sandbox's own loopback; the command begins when it does.
 */
export const startForwarder: readonly string[] = [
  `if hash socat 2>/dev/null; then socat TCP-LISTEN:${port},bind=127.0.0.1,reuseaddr,fork UNIX-CONNECT:${socket} &`,
  `else node -e '${inNode}' & fi </dev/null >/dev/null 2>&1`,
  `for ((tries = 0; tries < 500; tries++)); do : 2>/dev/null <>/dev/tcp/127.0.0.1/${port} && break; sleep 0.01; done`,
];
