"""What every process has: settings, clock and entropy, child processes, logs and metrics."""
