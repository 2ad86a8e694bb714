"""`turnstream up`: the processes that it runs, and their settings."""

import argparse
import os
import shlex
import sys

from service.people.issuers.configuration import read_issuers
from service.programs.data_folder import paths_in
from service.programs.supervisor import UpPlan, run_up
from service.runtime.settings import PREFIX, BadSettings, Settings, check

LAST_PORT = 65535


def up(chosen: Settings, _arguments: argparse.Namespace) -> int:
    """Run the store, the API and a worker on this machine until Ctrl-C. Raises `BadSettings` before it starts."""
    check(chosen, ("operators",))
    read_issuers(chosen.issuers)
    metrics_ports = metrics_ports_of(chosen)
    python = (sys.executable, "-P", "-m")  # -P: does not import code of the current directory
    files = {f"{PREFIX}{name.upper()}": str(path) for name, path in paths_in(chosen).items()}
    finding = {"TURNSTREAM_DATA": str(chosen.data.resolve()), "TURNSTREAM_WITNESS": files["TURNSTREAM_WITNESS"]}
    worker_metrics = ("--metrics-port", str(metrics_ports[1])) if metrics_ports else ()
    plan = UpPlan(
        data=chosen.data,
        host=chosen.host,
        port=chosen.port,
        metrics_ports=metrics_ports,
        fork_server=(*python, "service.serving"),
        children=(("api", ("api",)), ("worker", ("worker", "--webhooks", *worker_metrics))),
        environment={
            **files,
            "TURNSTREAM_DRAIN": os.environ.get("TURNSTREAM_DRAIN", "0"),
            "TURNSTREAM_LOG_FORMAT": "console",
            "TURNSTREAM_LOG_LEVEL": os.environ.get("TURNSTREAM_LOG_LEVEL", "warning"),
        },
        program=" ".join(
            [*(f"{name}={shlex.quote(value)}" for name, value in finding.items()), shlex.join((*python, "service"))]
        ),
        examples=(
            f"curl -s http://{chosen.host}:{chosen.port}/v1/rooms -H 'Content-Type: application/json' \\",
            """    -d '{"game": "morris", "name": "Friday Night", "nickname": "Ada"}'""",
        ),
    )
    return run_up(plan)


def metrics_ports_of(chosen: Settings) -> tuple[int, ...]:
    """Return the metrics ports of the API and, the next one, of the worker. Raises `BadSettings`."""
    ports = (chosen.metrics_port, chosen.metrics_port + 1) if chosen.metrics_port else ()
    if chosen.port in ports or max(ports, default=0) > LAST_PORT:
        raise BadSettings(f"TURNSTREAM_METRICS_PORT: it and the next one must be ports other than {chosen.port}.")
    return ports
