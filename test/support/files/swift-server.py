"""A store that speaks S3 and checks signatures: Debian's Swift with s3api, all its servers in one process, on the folder given.

Prints one line with the port when it answers.
"""

import logging
import os
import sys

import eventlet

eventlet.patcher.monkey_patch(all=False, socket=True, select=True, time=True, os=True, thread=False)

from eventlet import wsgi  # noqa: E402
from swift.common import utils  # noqa: E402

utils.HASH_PATH_SUFFIX = b'errand'
utils.HASH_PATH_PREFIX = b'errand'

from swift.account.server import AccountController  # noqa: E402
from swift.common.ring import RingBuilder  # noqa: E402
from swift.common.wsgi import loadapp  # noqa: E402
from swift.container.server import ContainerController  # noqa: E402
from swift.obj.server import ObjectController  # noqa: E402

folder = sys.argv[1]
conf = {
    'devices': os.path.join(folder, 'devices'),
    'swift_dir': os.path.join(folder, 'conf'),
    'mount_check': 'false',
    'allow_versions': 'yes',
    'disable_fallocate': 'true',
}
proxy_conf = """
[DEFAULT]
swift_dir = {swift_dir}
[pipeline:main]
pipeline = catch_errors s3api tempauth bulk slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
"""


class MemoryCache(dict):
    """Stands in for memcached, which the authentication wants to see."""

    def __bool__(self):
        return True

    def get(self, key, raise_on_error=False):
        return dict.get(self, key)

    def set(self, key, value, serialize=True, time=0, **kwargs):
        self[key] = value

    def incr(self, key, delta=1, time=0):
        self[key] = int(dict.get(self, key) or 0) + delta
        return self[key]

    def delete(self, key, **kwargs):
        self.pop(key, None)


def with_cache(app):
    cache = MemoryCache()

    def serve(env, start_response):
        env['swift.cache'] = cache
        return app(env, start_response)

    return serve


def listen():
    return eventlet.listen(('127.0.0.1', 0))


def write_ring(name, port):
    builder = RingBuilder(2, 1, 0)
    builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'weight': 1.0, 'ip': '127.0.0.1', 'port': port, 'device': 'd1', 'meta': ''})
    builder.rebalance()
    builder.get_ring().save(os.path.join(conf['swift_dir'], name + '.ring.gz'))


def main():
    os.makedirs(os.path.join(conf['devices'], 'd1'), exist_ok=True)
    os.makedirs(conf['swift_dir'], exist_ok=True)
    logging.disable(logging.CRITICAL)
    quiet = open(os.devnull, 'w')
    for name, controller in (('account', AccountController), ('container', ContainerController), ('object', ObjectController)):
        sock = listen()
        write_ring(name, sock.getsockname()[1])
        eventlet.spawn(wsgi.server, sock, controller(dict(conf)), quiet)
    path = os.path.join(conf['swift_dir'], 'proxy.conf')
    with open(path, 'w') as file:
        file.write(proxy_conf.format(**conf))
    sock = listen()
    app = with_cache(loadapp(path))
    print('ready', sock.getsockname()[1], flush=True)
    eventlet.spawn(wsgi.server, sock, app, quiet)
    while True:
        eventlet.sleep(3600)


main()
