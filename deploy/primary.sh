#!/bin/sh
# Lets the standby follow, and has every commit wait for it from the next start on. Run once, when the primary's data folder
# is made.
set -eu
echo "host replication ludotheque all scram-sha-256" >> "$PGDATA/pg_hba.conf"
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" -c "ALTER ROLE ludotheque WITH REPLICATION" \
    -c "ALTER SYSTEM SET synchronous_standby_names = 'standby'"
