"""Dropout keeps the mean, keeps as many entries as it should, and goes by the generator that is given."""

from __future__ import annotations

import pytest
import torch

from re2nn_core.network.dropout import Dropout, kept_entries


@pytest.mark.parametrize("share", [0.1, 0.2, 0.5, 0.9])
def test_the_share_is_dropped_everywhere_and_the_mean_stays(share: float) -> None:
    drop = Dropout(share)
    values = drop(torch.ones(500, 403), torch.Generator().manual_seed(1))
    assert float(values.mean()) == pytest.approx(1, abs=0.02 / (1 - share))
    assert float((values == 0).double().mean()) == pytest.approx(share, abs=0.003)
    # Four entries come from one number: each of the four places must be dropped as often.
    places = (values.reshape(-1)[: 500 * 400].view(-1, 4) == 0).double().mean(0)
    assert places.tolist() == pytest.approx([share] * 4, abs=0.006)
    assert sorted(set(values.reshape(-1).tolist())) == pytest.approx([0, 1 / (1 - share)])


def test_entries_are_dropped_apart_from_their_neighbours() -> None:
    kept = kept_entries((200_000,), 0.5, torch.Generator().manual_seed(2)).double()
    for distance in (1, 2, 3, 4, 5, 8):
        both = (kept[:-distance] * kept[distance:]).mean()
        assert float(both) == pytest.approx(0.25, abs=0.005)


def test_chance_comes_from_the_generator_and_the_gradient_goes_where_values_went() -> None:
    drop, values = Dropout(0.5), torch.randn(7, 9, requires_grad=True)
    torch.manual_seed(5)
    first = drop(values)
    assert torch.equal(first, drop(values, torch.Generator().manual_seed(5)))
    assert not torch.equal(first, drop(values))
    first.sum().backward()
    assert torch.equal(values.grad != 0, first != 0)


def test_nothing_is_dropped_outside_training_or_without_a_share() -> None:
    values = torch.randn(4, 4)
    assert Dropout(0.5).eval()(values) is values
    assert Dropout(0.0)(values) is values


def test_several_networks_drop_at_once_what_each_drops_alone() -> None:
    drop, values = Dropout(0.3), torch.randn(9, 5)
    rows = [4, 0, 5]
    chance = [[torch.Generator().manual_seed(number) for number in range(len(rows))] for _ in range(2)]
    together = drop.of_members(values, [5 * count for count in rows], chance[0])
    alone = [drop(part, random) for part, random in zip(values.split(rows), chance[1], strict=True)]
    assert torch.equal(together, torch.cat(alone))
    assert drop.eval().of_members(values, [45], chance[0][:1]) is values
