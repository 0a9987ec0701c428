#!/usr/bin/env bash
# The two programs that tests drive and PyPI does not bring: Chromium and Redis.
set -euo pipefail

missing=()
command -v chromium >/dev/null || missing+=(chromium)
command -v redis-server >/dev/null || missing+=(redis-server)
[ ${#missing[@]} -gt 0 ] || exit 0

if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  echo "Installing ${missing[*]} …"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
  exit 0
fi
echo "The tests need: ${missing[*]}." >&2
echo "On Debian or Ubuntu: sudo apt-get install ${missing[*]}" >&2
echo "On macOS: brew install --cask chromium; brew install redis" >&2
exit 1
