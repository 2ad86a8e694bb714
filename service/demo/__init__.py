"""A client of the public API that plays whole matches and checks what it received.

It knows only the server's address and imports none of its code: the standard library and `websockets` are enough to
write a client. Read `api.py`, then `client.py`.
"""
