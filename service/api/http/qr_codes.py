"""QR codes of links, as images."""

import io

import segno

QUIET_ZONE = 4
"""The light modules around a code that readers need, by the standard (ISO/IEC 18004)."""


def qr_code(link: str) -> bytes:
    """Return the QR code of a link as an SVG image, dark on light in every theme, as readers need it."""
    code = segno.make_qr(link, error="m")
    image = io.BytesIO()
    code.save(image, kind="svg", border=QUIET_ZONE, dark="#000", light="#fff", xmldecl=False, omitsize=True)
    return image.getvalue()
