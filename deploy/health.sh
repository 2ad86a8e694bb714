#!/bin/bash
# Asks a service of this container by HTTP whether it is well. Bash does it alone: each start of an interpreter such as
# Python would cost more than an idle service does.
#   health.sh PORT PATH
# Succeeds if the answer has status 200 and begins within four seconds.
exec 3<> "/dev/tcp/127.0.0.1/$1" || exit 1
printf 'GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "$2" >&3
read -r -t 4 -u 3 _ status _
[ "$status" = 200 ]
