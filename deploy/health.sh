#!/bin/bash
# Checks by HTTP whether a service of this container is healthy. It uses only bash, because starting an interpreter such as
# Python costs more than an idle service.
#   health.sh PORT PATH
# Succeeds if the answer has status 200 and begins within four seconds; otherwise prints its body, which says why.
exec 3<> "/dev/tcp/127.0.0.1/$1" || exit 1
printf 'GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "$2" >&3
read -r -t 4 -u 3 _ status _
[ "$status" = 200 ] && exit
read -r -t 0.5 -d '' -u 3 answer
echo "${answer##*$'\r\n'}"
exit 1
