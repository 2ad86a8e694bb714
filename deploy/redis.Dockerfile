# The store: Redis with our settings, its users, and the secrets of everyone else, made at the first start.
FROM redis:8
COPY deploy/redis.conf /etc/turnstream/redis.conf
COPY deploy/redis-start.sh deploy/cluster-start.sh /usr/local/bin/
RUN chmod 755 /usr/local/bin/redis-start.sh /usr/local/bin/cluster-start.sh \
    && mkdir -p /store /secrets/store /secrets/api /secrets/worker /secrets/backup \
    && chown -R 10002:10002 /store /secrets
USER 10002:10002
ENTRYPOINT []
CMD ["redis-start.sh"]
