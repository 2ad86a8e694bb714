#!/bin/sh
# Starts the store. At the first start it creates every secret: the signing key, the operator token, and a password for
# each user of the store. Each service gets its own in a volume that no other service mounts; the store keeps the originals.
set -euf
umask 077
secrets=${SECRETS:-/secrets}

word() { od -An -N 32 -tx1 /dev/urandom | tr -d ' \n'; }

# secret NAME: prints the secret of this name, and creates it if it does not exist.
secret() {
  if [ ! -s "$secrets/store/$1" ]; then
    word > "$secrets/store/$1.new"
    mv "$secrets/store/$1.new" "$secrets/store/$1"
  fi
  cat "$secrets/store/$1"
}

# give USER FILE TEXT: writes a file for a service, into the volume of this service.
give() {
  printf '%s\n' "$3" > "$secrets/$1/$2.new"
  chmod 444 "$secrets/$1/$2.new"
  mv -f "$secrets/$1/$2.new" "$secrets/$1/$2"
}

hashed() { printf %s "$1" | sha256sum | cut -d ' ' -f 1; }

# Each user may run the commands that it needs on Turnstream's keys and channels, all of which begin with `{p`, and no
# dangerous command. `cluster` joins the nodes of a cluster and can access no key. Nobody can log in as `default`, but it
# needs every right: some servers load their append-only file as this user and drop every transaction that it may not run.
writer='~{p* &{p* -@all +@read +@write +@pubsub +@connection +@scripting -script -function -@dangerous
  +info +config|get +acl|dryrun +time +wait +cluster|slots'
reader='%R~{p* %RW~{p00}:partitions %RW~{p00}:store &{p* -@all +@read +@connection -@dangerous
  +setnx +info +config|get +acl|dryrun +time +cluster|slots'
joiner='resetkeys resetchannels -@all +ping +info +cluster'
users='user default off resetpass ~* &* +@all
user health on nopass resetkeys resetchannels -@all +ping +cluster|info
'
for user in api worker webhooks backup; do
  password=$(secret "$user.password")
  if [ $user = backup ]; then rights=$reader; else rights=$writer; fi
  users="$users$(echo user $user on "#$(hashed "$password")" $rights)
"
  give $user redis.password "$password"
  give $user signing.key "$(secret signing.key)"
done
give api admin.token "$(secret admin.token)"
users="${users}user cluster on #$(hashed "$(secret cluster.password)") $joiner
user replica on #$(hashed "$(secret replica.password)") resetkeys resetchannels -@all +ping +psync +replconf
"
printf %s "$users" > "$secrets/store/users.acl.new"
mv -f "$secrets/store/users.acl.new" "$secrets/store/users.acl"

# On two hosts (docs/two-hosts.md) the store of the one follows that of the other; both present and require certificates.
if [ -n "${STORE_HOST:-}" ]; then
  printf 'masteruser replica\nmasterauth %s\n' "$(secret replica.password)" > "$secrets/store/replica.conf"
  certificates=/store-certificates
  set -- "$@" --include "$secrets/store/replica.conf" --tls-port 6380 --tls-replication yes --tls-auth-clients yes \
    --tls-ca-cert-file $certificates/ca.pem --tls-cert-file $certificates/store.pem --tls-key-file $certificates/store.pem
  [ "$STORE_HOST" = "$THIS_HOST" ] || set -- "$@" --replicaof "$STORE_HOST" 6380
  [ "$ACKNOWLEDGE" = local ] || set -- "$@" --min-replicas-to-write 1
fi

exec redis-server "${CONFIG:-/etc/turnstream/redis.conf}" --dir "${STORE:-/store}" --port "${PORT:-6379}" \
  --bind '*' --protected-mode no --maxmemory "${MEMORY:-512mb}" --aclfile "$secrets/store/users.acl" "$@"
