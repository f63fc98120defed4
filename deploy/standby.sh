#!/bin/sh
# Copies the primary at the first start, and replicates from it. `synchronous_standby_names` is empty, so that a promoted
# standby does not wait for a standby of its own.
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
