# syntax=docker/dockerfile:1
#
#   docker build -t ludotheque .
#   docker run -p 8080:8080 -v ludotheque:/data ludotheque
#
# Every setting is an environment variable: `docker run ludotheque --help` lists them.

FROM node:22-bookworm-slim AS node

FROM rust:1.95-slim-bookworm AS build
WORKDIR /build
# Node.js builds the playground and the docs; Debian's version is too old. LUDOTHEQUE_WEB=on: no image without them.
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=node /usr/local/lib/node_modules /usr/local/lib/node_modules
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
ENV LUDOTHEQUE_WEB=on npm_config_cache=/npm
# Downloads and compiled dependencies stay in the builder's cache, so that a change in src rebuilds our crates only. Cache
# mounts are not part of the image, so the program is copied out.
RUN --mount=type=bind,target=. \
    --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/npm \
    --mount=type=cache,target=/target \
    cargo build --locked --profile dist --bin ludotheque --target-dir /target \
    && install -D /target/dist/ludotheque /out/ludotheque \
    && install -d -m 700 /out/data

FROM debian:bookworm-slim
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Ludotheque" \
      org.opencontainers.image.description="Board games, refereed by the server, for any front end" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
RUN groupadd --system --gid 10001 ludotheque \
    && useradd --system --uid 10001 --gid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin ludotheque
COPY --from=build /out/ludotheque /usr/local/bin/ludotheque
# A new volume inherits owner and permissions of this folder.
COPY --from=build --chown=10001:10001 /out/data /data
ENV LUDOTHEQUE_LISTEN=0.0.0.0:8080 \
    LUDOTHEQUE_DATA=/data \
    LUDOTHEQUE_LOG_FORMAT=json
USER 10001:10001
VOLUME /data
EXPOSE 8080
# `docker stop` sends SIGTERM: the server finishes the requests in flight and ends streams.
HEALTHCHECK --interval=30s --timeout=6s --start-period=30s --retries=3 CMD ["ludotheque", "health"]
ENTRYPOINT ["ludotheque"]
CMD ["serve"]
