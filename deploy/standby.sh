#!/bin/sh
# Copies the primary the first time, and follows it from then on. The copy keeps no setting that waits for a standby, so that
# it serves alone once it is promoted.
set -eu
export PGPASSWORD="$POSTGRES_PASSWORD"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    until pg_basebackup --write-recovery-conf -D "$PGDATA" \
        -d "host=primary user=ludotheque password=$POSTGRES_PASSWORD application_name=standby"; do
        sleep 1
    done
fi
chmod 700 "$PGDATA"
exec postgres -c synchronous_standby_names=
