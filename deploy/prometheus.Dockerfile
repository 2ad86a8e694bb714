# Prometheus from Debian, which scrapes the metrics of all processes and raises the alerts.
ARG PYTHON_IMAGE=python:3.13-slim
FROM ${PYTHON_IMAGE}
RUN apt-get update \
    && apt-get install --yes --no-install-recommends prometheus \
    && rm -rf /var/lib/apt/lists/* \
    && mkdir -p /prometheus && chown 10004:10004 /prometheus
COPY deploy/metrics/prometheus.yml deploy/metrics/alerts.yml /etc/prometheus/
COPY deploy/health.sh /usr/local/bin/health.sh
USER 10004:10004
CMD ["prometheus", "--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.path=/prometheus", \
     "--storage.tsdb.retention.time=15d", "--web.listen-address=0.0.0.0:9090"]
