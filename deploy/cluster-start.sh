#!/bin/sh
# Starts one node of the cluster; the node that is told the others' addresses joins them all when they answer.
#   cluster-start.sh [ADDRESS...]
set -eu
conf=${CONFIG:-/etc/turnstream/redis.conf}
port=${PORT:-6379}
redis-server "$conf" --dir "${STORE:-/store}" --port "$port" --bind '*' --protected-mode no \
  --maxmemory "${MEMORY:-512mb}" --cluster-enabled yes --cluster-announce-hostname "${NAME:-127.0.0.1}" \
  --cluster-preferred-endpoint-type hostname &
store=$!
trap 'kill -TERM $store; wait $store; exit' TERM INT

if [ $# -gt 0 ]; then
  for address in "$@"; do
    until [ "$(redis-cli -h "${address%:*}" -p "${address#*:}" ping 2>/dev/null)" = PONG ]; do sleep 0.2; done
  done
  if ! redis-cli -p "$port" cluster info | grep -q cluster_state:ok; then
    # Addresses, not names: nodes of a new cluster don't know each other's names yet.
    nodes=''
    for address in "$@"; do nodes="$nodes $(getent hosts "${address%:*}" | cut -d ' ' -f 1 | head -n 1):${address#*:}"; done
    redis-cli --cluster create $nodes --cluster-yes
  fi
fi
wait $store
