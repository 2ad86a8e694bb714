"""Builds a release, `make release VERSION=x.y.z REPOSITORY=https://...`, and publishes nothing."""
