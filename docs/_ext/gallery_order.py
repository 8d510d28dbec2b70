"""The order of the gallery: what people do with it first, then what the package has for them."""

from __future__ import annotations

from pathlib import Path

ORDER = (
    "text_words",
    "medicine_risk_table",
    "genes",
    "signal_recovery",
    "image_recovery",
    "spectra",
    "index_tracking",
    "dynamics",
    "recommender",
    "choosing_s",
    "path_against_lasso",
    "stability",
    "near_best_models",
    "groups",
    "certificates",
    "outliers",
    "counts",
)


class InOrderOfReading:
    """A key to sort examples by; one that is not listed comes last."""

    def __init__(self, _folder: str) -> None:
        self.places = {name: place for place, name in enumerate(ORDER)}

    def __call__(self, file: str) -> tuple[int, str]:
        return self.places.get(Path(file).stem, len(ORDER)), file
