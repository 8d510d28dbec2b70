"""Tables for pandas, which is optional."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def data_frame(columns: Mapping[str, Any], needed_by: str = "to_pandas") -> Any:
    """Return a pandas DataFrame of these columns, or say what needs pandas."""
    try:
        import pandas as pd  # noqa: PLC0415  (optional)
    except ImportError as error:
        raise ImportError(f"{needed_by} needs pandas: pip install pandas") from error
    return pd.DataFrame(columns)
