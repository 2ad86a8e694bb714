"""Benchmarks that anyone can run again, with the peers they measure against."""
