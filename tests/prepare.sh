#!/usr/bin/env bash
# The programs that tests drive and PyPI does not bring: Chromium and Redis, those of the cluster:
# PostgreSQL 15, nginx and Caddy, and Prometheus, which reads our rules.
set -euo pipefail

install() {
  echo "Installing $* …"
  know_packages &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}
# Asked for once, whether they come or not.
know_packages() {
  known=${known:-$(apt-get update -qq >&2 && echo yes || echo no)}
  [ "$known" = yes ]
}
# As above, for servers: none of them starts on this machine's own ports.
install_unstarted() {
  local policy=/usr/sbin/policy-rc.d
  if [ ! -e $policy ]; then
    printf '#!/bin/sh\nexit 101\n' >$policy
    chmod +x $policy
    trap "rm -f $policy" EXIT
  fi
  install "$@"
}
can_install() { command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; }

# A Chromium without windows is quicker; not every Debian or Ubuntu has it.
if ! command -v chromium-headless-shell >/dev/null && can_install; then
  install chromium-headless-shell || echo "Without it the tests take the whole Chromium." >&2
fi

servers=()
[ -x /usr/lib/postgresql/15/bin/postgres ] || servers+=(postgresql-15)
[ -x /usr/sbin/nginx ] || servers+=(nginx)
command -v caddy >/dev/null || servers+=(caddy)
command -v promtool >/dev/null || servers+=(prometheus)
# One by one: a Debian that does not know PostgreSQL 15 has the others all the same.
for server in "${servers[@]}"; do
  { can_install && install_unstarted "$server"; } ||
    echo "Without $server the tests of deployments leave out what needs it." >&2
done

missing=()
command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || missing+=(chromium)
command -v redis-server >/dev/null || missing+=(redis-server)
[ ${#missing[@]} -gt 0 ] || exit 0

if can_install; then
  install "${missing[@]}"
  exit 0
fi
echo "The tests need: ${missing[*]}." >&2
echo "On Debian or Ubuntu: sudo apt-get install ${missing[*]}" >&2
echo "On macOS: brew install --cask chromium; brew install redis" >&2
exit 1
