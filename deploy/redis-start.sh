#!/bin/sh
# Starts the store. At the first start it makes every secret: the signing key, the operators' token, and a password for
# each user of the store. Each service finds its own in a volume that nobody else has; the store keeps the originals.
set -eu
secrets=${SECRETS:-/secrets}

word() { od -An -N 32 -tx1 /dev/urandom | tr -d ' \n'; }

# kept NAME: the secret of this name, made if it isn't there.
kept() {
  if [ ! -s "$secrets/store/$1" ]; then
    word > "$secrets/store/$1.new"
    mv "$secrets/store/$1.new" "$secrets/store/$1"
  fi
  cat "$secrets/store/$1"
}

# given USER FILE TEXT: a file for a service, readable in its own volume only.
given() {
  printf '%s\n' "$3" > "$secrets/$1/$2.new"
  chmod 444 "$secrets/$1/$2.new"
  mv -f "$secrets/$1/$2.new" "$secrets/$1/$2"
}

# Each may do what it needs with our keys and channels, all of which begin with `{p`, and nothing dangerous.
writer='~{p* &{p* -@all +@read +@write +@pubsub +@connection +@scripting -script -function -@dangerous
  +info +config|get +time +wait +cluster|slots'
reader='%R~{p* %RW~{p00}:partitions &{p* -@all +@read +@connection -@dangerous
  +setnx +info +config|get +time +cluster|slots'
users='user default off resetpass
user health on nopass resetkeys resetchannels -@all +ping
'
for user in api worker backup; do
  password=$(kept "$user.password")
  hash=$(printf %s "$password" | sha256sum | cut -d ' ' -f 1)
  if [ $user = backup ]; then rights=$reader; else rights=$writer; fi
  users="$users$(echo user $user on "#$hash" $rights)
"
  given $user redis.password "$password"
  given $user signing.key "$(kept signing.key)"
done
given api admin.token "$(kept admin.token)"
printf %s "$users" > "$secrets/store/users.acl"

exec redis-server "${CONFIG:-/etc/turnstream/redis.conf}" --dir "${STORE:-/store}" --port "${PORT:-6379}" \
  --bind '*' --protected-mode no --maxmemory "${MEMORY:-512mb}" --aclfile "$secrets/store/users.acl" "$@"
