#!/bin/sh
# The role that serves; the owner, which migrates, is the container's own. `rewards migrate` gives
# it its rights.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$APP_PASSWORD" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
create role watchcoins_app login password :'password';
SQL
