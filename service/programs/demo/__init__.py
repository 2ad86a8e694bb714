"""A client of the public API that plays matches, shows them as `turnstream replay` does, and checks what it received.

`api.py` and `client.py` import none of the server's code: the standard library and `websockets` are sufficient for a
client. Read `api.py` first, then `client.py`.
"""
