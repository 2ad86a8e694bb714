# HAProxy from Debian, the proxy in front of the API.
ARG PYTHON_IMAGE=python:3.13-slim
FROM ${PYTHON_IMAGE}
RUN apt-get update \
    && apt-get install --yes --no-install-recommends haproxy \
    && rm -rf /var/lib/apt/lists/*
COPY deploy/haproxy.cfg /etc/turnstream/haproxy.cfg
COPY deploy/health.sh /usr/local/bin/health.sh
USER 10003:10003
# HAProxy separates the networks by spaces, Turnstream's settings by commas.
CMD ["bash", "-c", "TURNSTREAM_TRUSTED_PROXIES=${TURNSTREAM_TRUSTED_PROXIES//,/ } exec haproxy -db -f /etc/turnstream/haproxy.cfg"]
