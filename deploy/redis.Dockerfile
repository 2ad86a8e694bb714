# The store: Redis with Turnstream's settings and users. At the first start it creates the secrets of all services.
FROM redis:8
COPY deploy/redis.conf /etc/turnstream/redis.conf
COPY deploy/redis-start.sh deploy/cluster-start.sh /usr/local/bin/
RUN chmod 755 /usr/local/bin/redis-start.sh /usr/local/bin/cluster-start.sh \
    && mkdir -p /store /secrets/store /secrets/api /secrets/worker /secrets/webhooks /secrets/backup \
    && chown -R 10002:10002 /store /secrets
USER 10002:10002
ENTRYPOINT []
CMD ["redis-start.sh"]
