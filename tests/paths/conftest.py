"""No test leaves a picture open."""

import pytest


@pytest.fixture(autouse=True)
def close_figures():
    yield
    try:
        import matplotlib.pyplot as plt  # noqa: PLC0415
    except ImportError:
        return
    plt.close("all")
