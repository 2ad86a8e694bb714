"""The HTTP server: the only files that know uvicorn."""
