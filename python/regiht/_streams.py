"""Standard output and error as they may be: missing, closed, or of few characters."""

from __future__ import annotations

import sys
from typing import Any


def is_open(stream: Any) -> bool:
    """Whether a stream takes text; programs without a console have none, daemons close theirs."""
    return stream is not None and not getattr(stream, "closed", False)


def is_terminal(stream: Any) -> bool:
    """Whether a stream is one that is seen as it is written."""
    return is_open(stream) and bool(stream.isatty())


def print_line(text: str, stream: Any) -> None:
    """Write a line at once; characters that the stream's encoding has not become escapes."""
    if not is_open(stream):
        return
    try:
        print(text, file=stream, flush=True)
    except UnicodeEncodeError as error:
        plain = text.encode(error.encoding, "backslashreplace").decode(error.encoding)
        print(plain, file=stream, flush=True)


def write_error(text: str) -> None:
    """Write to standard error, as it is, what need not be seen."""
    if is_open(sys.stderr):
        sys.stderr.write(text)
        sys.stderr.flush()
