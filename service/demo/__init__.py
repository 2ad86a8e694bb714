"""A client of the public API that plays whole matches and checks what it was told.

It knows the server by its address only and imports nothing of it: the standard library and `websockets` are enough to
write a client. Read `api.py`, then `client.py`.
"""
