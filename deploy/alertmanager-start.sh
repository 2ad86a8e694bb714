#!/bin/sh
# Starts Alertmanager, which sends alerts to TURNSTREAM_ALERTS: an https:// or http:// URL that takes its JSON by POST, or
# mailto:ADDRESS, by the relay TURNSTREAM_MAIL_RELAY (host:port) from TURNSTREAM_MAIL_FROM. Without it they are only shown.
set -euf

# quoted TEXT: prints the text as a string of YAML.
quoted() { printf "'%s'" "$(printf %s "$1" | sed "s/'/''/g")"; }

case $TURNSTREAM_ALERTS in
"") receiver="" ;;
http://* | https://*) receiver="webhook_configs: [{ url: $(quoted "$TURNSTREAM_ALERTS") }]" ;;
mailto:?*)
  receiver="email_configs: [{ to: $(quoted "${TURNSTREAM_ALERTS#mailto:}"), from: $(quoted "$TURNSTREAM_MAIL_FROM"),"
  receiver="$receiver smarthost: $(quoted "$TURNSTREAM_MAIL_RELAY"), send_resolved: true }]"
  ;;
*)
  echo "TURNSTREAM_ALERTS: expected https://..., http://... or mailto:ADDRESS, got $TURNSTREAM_ALERTS" >&2
  exit 2
  ;;
esac

# Alerts of one cause arrive together; a ticket is repeated once a day, a page every hour.
cat > /tmp/alertmanager.yml <<YAML
route:
  receiver: operator
  group_by: [severity]
  group_wait: 10s
  group_interval: 1m
  repeat_interval: 24h
  routes: [{ matchers: [severity = page], repeat_interval: 1h }]
receivers:
  - name: operator
    $receiver
YAML

exec prometheus-alertmanager --config.file=/tmp/alertmanager.yml --storage.path=/alertmanager --cluster.listen-address=
