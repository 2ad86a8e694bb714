# Caddy from Debian, which terminates TLS in front of the proxy.
ARG PYTHON_IMAGE=python:3.13-slim
FROM ${PYTHON_IMAGE}
RUN apt-get update \
    && apt-get install --yes --no-install-recommends caddy \
    && rm -rf /var/lib/apt/lists/* \
    && mkdir -p /data && chown 10005:10005 /data
COPY deploy/Caddyfile /etc/turnstream/Caddyfile
COPY deploy/health.sh /usr/local/bin/health.sh
ENV XDG_DATA_HOME=/data XDG_CONFIG_HOME=/tmp
USER 10005:10005
CMD ["caddy", "run", "--config", "/etc/turnstream/Caddyfile", "--adapter", "caddyfile"]
