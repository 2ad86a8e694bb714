"""Elements of SVG as text, with all texts of people escaped."""

from html import escape
from unicodedata import east_asian_width


def element(name: str, *content: str, **attributes: str | float) -> str:
    """Return an element with content; `font_size=3` is written as `font-size="3"`, and `class_` as `class`."""
    pairs = "".join(f' {key.rstrip("_").replace("_", "-")}="{value_of(value)}"' for key, value in attributes.items())
    return f"<{name}{pairs}>{''.join(content)}</{name}>" if content else f"<{name}{pairs}/>"


def value_of(value: str | float) -> str:
    """Return an attribute's value; five significant digits of a number are sufficient."""
    return escape(value) if isinstance(value, str) else f"{value:.5g}"


def text(content: str, x: float, y: float, size: float, width: float, **more: str | float) -> str:
    """Return a line of text, in a size smaller than `size` if it would be wider than `width`."""
    ems = sum(1.0 if east_asian_width(letter) in "WF" else 0.58 for letter in content)
    fitted = min(size, width / max(ems, 1))
    return element("text", escape(content), x=x, y=y, font_size=fitted, **more)
