# Alertmanager from Debian, which sends the alerts of Prometheus to the operator.
ARG PYTHON_IMAGE=python:3.13-slim
FROM ${PYTHON_IMAGE}
RUN apt-get update \
    && apt-get install --yes --no-install-recommends prometheus-alertmanager \
    && rm -rf /var/lib/apt/lists/* \
    && mkdir -p /alertmanager && chown 10006:10006 /alertmanager
COPY deploy/alertmanager-start.sh /usr/local/bin/alertmanager-start.sh
COPY deploy/health.sh /usr/local/bin/health.sh
USER 10006:10006
CMD ["alertmanager-start.sh"]
