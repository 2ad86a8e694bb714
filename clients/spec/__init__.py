"""The OpenAPI and AsyncAPI documents, derived from routes, types and their docstrings."""
