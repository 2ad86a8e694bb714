# HAProxy from Debian, the proxy in front of the API.
FROM python:3.13-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends haproxy \
    && rm -rf /var/lib/apt/lists/*
COPY deploy/haproxy.cfg /etc/turnstream/haproxy.cfg
COPY deploy/health.sh /usr/local/bin/health.sh
USER 10003:10003
CMD ["haproxy", "-db", "-f", "/etc/turnstream/haproxy.cfg"]
