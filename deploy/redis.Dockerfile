# The store: Redis with Turnstream's settings and users. At the first start it creates the secrets of all services.
ARG REDIS_IMAGE=redis:8
FROM ${REDIS_IMAGE}
COPY deploy/redis.conf /etc/turnstream/redis.conf
COPY deploy/redis-start.sh deploy/cluster-start.sh /usr/local/bin/
RUN chmod 755 /usr/local/bin/redis-start.sh /usr/local/bin/cluster-start.sh \
    && mkdir -p /store /secrets/store /secrets/api /secrets/worker /secrets/webhooks /secrets/backup \
    && chown -R 10002:10002 /store /secrets
USER 10002:10002
ENTRYPOINT []
CMD ["redis-start.sh"]
