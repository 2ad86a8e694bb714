#!/bin/sh
# Starts one node of the cluster, with the users that redis-start.sh created. The node that gets addresses creates the
# cluster of the nodes at these addresses, as soon as they answer.
#   cluster-start.sh [ADDRESS...]
set -euf
conf=${CONFIG:-/etc/turnstream/redis.conf}
secrets=${SECRETS:-/secrets}
port=${PORT:-6379}
redis-server "$conf" --dir "${STORE:-/store}" --port "$port" --bind '*' --protected-mode no \
  --maxmemory "${MEMORY:-512mb}" --aclfile "$secrets/store/users.acl" --cluster-enabled yes \
  --cluster-announce-hostname "${NAME:-127.0.0.1}" --cluster-preferred-endpoint-type hostname &
store=$!
trap 'kill -TERM $store; wait $store; exit $?' TERM INT

# ask WORD...: sends a command as the user who may join nodes and nothing else; no command line contains the password.
ask() { REDISCLI_AUTH=$(cat "$secrets/store/cluster.password") redis-cli --user cluster --no-auth-warning "$@"; }

# at ADDRESS: prints the numeric address, because the nodes of a new cluster do not know each other's names yet.
at() { echo "$(getent ahostsv4 "${1%:*}" | cut -d ' ' -f 1 | head -n 1):${1#*:}"; }

if [ $# -gt 0 ]; then
  for address in "$@"; do
    until [ "$(ask -h "${address%:*}" -p "${address#*:}" ping 2>/dev/null)" = PONG ]; do
      kill -0 $store
      sleep 0.2
    done
  done
  if ask -p "$port" cluster info | grep -q 'cluster_slots_assigned:0'; then
    nodes=''
    for address in "$@"; do nodes="$nodes $(at "$address")"; done
    ask --cluster create $nodes --cluster-yes
  else
    # The nodes know each other, but their numeric addresses may have changed.
    for address in "$@"; do
      number=$(at "$address")
      ask -p "$port" cluster meet "${number%:*}" "${number##*:}"
    done
  fi
fi
wait $store
