"""Issuers: front ends whose own JSON Web Tokens (RFC 7519) identify their players here."""
