"""A client of the public API that plays matches and checks what it received.

It needs only the server's address and imports none of its code: the standard library and `websockets` are sufficient
for a client. Read `api.py` first, then `client.py`.
"""
