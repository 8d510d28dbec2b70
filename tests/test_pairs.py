"""What the mark `pairs` leaves of a product of parameters."""

import itertools

import pytest

PARAMETERS = {"first": "abcde", "second": "abcd", "third": "abc", "fourth": "ab"}


@pytest.mark.pairs
@pytest.mark.parametrize("first", PARAMETERS["first"])
@pytest.mark.parametrize("second", PARAMETERS["second"])
@pytest.mark.parametrize("third", PARAMETERS["third"])
@pytest.mark.parametrize("fourth", PARAMETERS["fourth"])
def test_thinned(first, second, third, fourth):
    assert {first, second, third, fourth} <= set("abcde")


def test_any_two_values_still_meet(request):
    if request.config.getoption("all_combinations"):
        pytest.skip("nothing is left out")
    cases = [
        item.callspec.params
        for item in request.session.items
        if getattr(item, "originalname", None) == test_thinned.__name__
    ]
    if not cases:
        pytest.skip("run with the whole file")
    for one, other in itertools.combinations(PARAMETERS, 2):
        meetings = {(case[one], case[other]) for case in cases}
        assert meetings == {*itertools.product(PARAMETERS[one], PARAMETERS[other])}
    assert len(cases) <= 24  # of 120; 20 is the least there can be
