"""Configuration texts of the peers: pure functions from a Site to text.

Every peer gets one worker, no access log, connections that live as long as the load wants, and what it offers for serving
files fast. Nothing that a production site needs is switched off to make a peer look worse, or better.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from bench.macro.fixtures import GREETING

IDLE_S = 600                                     # longer than any run
MANY_REQUESTS = 1_000_000_000                    # a connection's requests, "without limit"
GREETING_TEXT = GREETING.decode("ascii")


@dataclass(frozen=True)
class Site:
    """What a configuration needs: document root, private directory, port, connections to expect, and whether we are root."""

    root: Path
    work: Path
    port: int
    connections: int
    as_root: bool


def quote(value: Path | str) -> str:
    """A double-quoted string that nginx, YAML, Caddyfile, TOML and lighttpd read alike (no control characters in it)."""
    return json.dumps(str(value), ensure_ascii=False)


def nginx(site: Site) -> str:
    """nginx closes idle connections once less than a sixteenth of its connection slots is free: it gets an eighth more."""
    user = "user root;\n" if site.as_root else ""
    temporary = "".join(f"  {kind}_temp_path {quote(site.work / kind)};\n"
                        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    return f"""daemon off;
{user}worker_processes 1;
worker_rlimit_nofile {site.connections * 9 // 8 + 256};
pid {quote(site.work / "nginx.pid")};
error_log stderr warn;
events {{
  worker_connections {site.connections * 9 // 8 + 128};
}}
http {{
  access_log off;
  sendfile on;
  keepalive_timeout {IDLE_S}s;
  keepalive_requests {MANY_REQUESTS};
  open_file_cache max=1000 inactive={IDLE_S}s;
  types {{
    text/plain txt;
    application/javascript js;
    application/octet-stream bin;
  }}
{temporary}  server {{
    listen 127.0.0.1:{site.port} backlog=4096;
    root {quote(site.root)};
    gzip_static on;
    location = /respond {{
      default_type text/plain;
      return 200 "{GREETING_TEXT}";
    }}
  }}
}}
"""


def h2o(site: Site) -> str:
    user = "user: root\n" if site.as_root else ""
    return f"""{user}num-threads: 1
max-connections: {site.connections + 128}
pid-file: {quote(site.work / "h2o.pid")}
http1-request-timeout: {IDLE_S}
file.send-compressed: ON
listen:
  host: 127.0.0.1
  port: {site.port}
hosts:
  default:
    paths:
      "/":
        file.dir: {quote(site.root)}
"""


LIGHTTPD_DESCRIPTORS = 2                         # a connection
LIGHTTPD_SIDECARS = """server.modules = ("mod_rewrite", "mod_setenv")
$REQUEST_HEADER["Accept-Encoding"] =~ "gzip" {
  url.rewrite-once = ("^(/.*\\.js)$" => "$1.gz")
  setenv.set-response-header = ("Content-Encoding" => "gzip", "Vary" => "Accept-Encoding")
}
"""


def lighttpd(site: Site, sidecars: bool) -> str:
    """lighttpd has no option for sidecars; with `sidecars` a rewrite does it, and only then are its modules loaded."""
    # 65535 is the most that lighttpd takes for requests; the load opens its connections anew every few seconds. It takes half as
    # many connections as descriptors, whatever max-connections says.
    descriptors = max(1024, site.connections * LIGHTTPD_DESCRIPTORS)
    return f"""{LIGHTTPD_SIDECARS if sidecars else ""}server.document-root = {quote(site.root)}
server.bind = "127.0.0.1"
server.port = {site.port}
server.listen-backlog = 4096
server.max-connections = {descriptors // LIGHTTPD_DESCRIPTORS}
server.max-fds = {descriptors}
server.max-keep-alive-requests = 65535
server.max-keep-alive-idle = {IDLE_S}
server.max-read-idle = {IDLE_S}
mimetype.assign = (
  ".txt" => "text/plain",
  ".js.gz" => "application/javascript",
  ".js" => "application/javascript",
  ".bin" => "application/octet-stream",
)
"""


def haproxy(site: Site) -> str:
    return f"""global
  nbthread 1
  maxconn {site.connections + 64}
  no strict-limits
defaults
  mode http
  timeout connect 5s
  timeout server {IDLE_S}s
  timeout client {IDLE_S}s
  timeout http-request {IDLE_S}s
  timeout http-keep-alive {IDLE_S}s
frontend bench
  bind 127.0.0.1:{site.port} backlog 4096
  http-request return status 200 content-type text/plain string "{GREETING_TEXT}"
"""


def caddy(site: Site) -> str:
    return f"""{{
  admin off
  auto_https off
  log {{
    level WARN
  }}
  servers {{
    timeouts {{
      idle {IDLE_S}s
    }}
  }}
}}
http://:{site.port} {{
  bind 127.0.0.1
  respond /respond "{GREETING_TEXT}" 200
  root * {quote(site.root)}
  file_server {{
    precompressed gzip
  }}
}}
"""


def tidegate(site: Site, poller: str) -> str:
    return f"""[server]
workers = 1
poller = {quote(poller)}

[limits]
idle_timeout = "{IDLE_S}s"

[log]
access = {{ to = "off" }}
error = {{ to = "stderr", level = "warn" }}

[admin]
listen = [{quote("unix:" + str(site.work / "admin.sock"))}]

[[site]]
name = "bench"
listen = ["http://127.0.0.1:{site.port}"]

  [[site.route]]
  path = "/respond"
  respond = {{ status = 200, body = {quote(GREETING_TEXT)}, content_type = "text/plain" }}

  [[site.route]]
  path = "/*"
  files = {{ root = {quote(site.root)}, precompressed = ["br", "zstd", "gzip"] }}
"""
