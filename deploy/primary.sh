#!/bin/sh
# Allows the standby to replicate, and makes commits wait for it after the next start. PostgreSQL's image runs this once, when
# it initialises the primary's data folder.
set -eu
echo "host replication ludotheque all scram-sha-256" >> "$PGDATA/pg_hba.conf"
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" -c "ALTER ROLE ludotheque WITH REPLICATION" \
    -c "ALTER SYSTEM SET synchronous_standby_names = 'standby'"
