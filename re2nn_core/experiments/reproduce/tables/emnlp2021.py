"""The tables and figures of Jiang et al., EMNLP 2021 (FSTRNN), as data. Tables 3 and 5 are parts of tables 10 to 12;
these call the bidirectional networks RNN, GRU and LSTM."""

from __future__ import annotations

from re2nn_core.experiments.reproduce.tables.rows import TablePlace, TableRow, crossed
from re2nn_core.experiments.reproduce.tables.spec import (
    Column,
    CurveAxes,
    Job,
    PaperTable,
    Path,
    TableCell,
    amount_text,
)

DATA = ("ATIS", "SNIPS", "ATIS-ZH")  # the one that is not here last
AMOUNTS = (0.0, 10.0, 50.0, 0.1, 1.0)
NO_CHINESE = "The texts and rules of ATIS-ZH are not in the folder of published data."
OURS = "FSTRNN-CRF with auxiliary encoder (ours)"
_ENDS = {"softmax": "", "crf": "-crf"}
_F1 = "micro F1 of spans on test, per cent"
_BASES = ("GRU", "LSTM", "RNN")
_HELP = ("", "+i", "+o", "+io", "+kd", "+pr")
_OWN = tuple(f"FST{cell}-{end}" for end in _ENDS for cell in ("RNN", "GRU"))
# Train texts, words, hours of writing rules, as printed in table 2.
_SIZES = {"ATIS": (3982, 943, 6), "ATIS-ZH": (3982, 1072, 4), "SNIPS": (13084, 12134, 8)}
# Printed in table 4 and not in the published file: F1 with 10 and 50 texts, 10% and 100%.
_BERT_CRF = {
    "i": (23.47, 49.47, 89.97, 95.71),
    "o": (25.56, 50.06, 90.52, 95.88),
    "kd": (25.42, 48.95, 90.07, 95.66),
    "pr": (25.17, 49.96, 90.61, 96.10),
}


def _at(row: str, data: str, amount: float) -> tuple[Path, ...]:
    return (("fstrnn", "full_results", data, row, amount_text(amount)),)


def _ours(end: str, cell: str) -> TableRow:
    key = f"FST{cell}-{end}"
    return TableRow(key.replace("crf", "CRF"), key.lower(), lambda data, amount: _at(key, data, amount))


def _baseline(end: str, base: str, helped: str) -> TableRow:
    key = f"{base}{helped}-{end}"
    name = f"Bi{base}{helped}-{end.replace('crf', 'CRF')}"
    return TableRow(name, f"bi{base.lower()}{_ENDS[end]}{helped}", lambda data, amount: _at(key, data, amount))


def _best_of_paper(data: str, amount: float) -> tuple[Path, ...]:
    return tuple(path for key in _OWN for path in _at(key, data, amount))


_WITH_AUXILIARY = TableRow(OURS, "fstrnn+reader", _best_of_paper)
_RULES = TableRow("RE system", "rules", lambda data, _: (("fstrnn", "rule_system", data, "f1"),))


def _places(data: tuple[str, ...], amounts: tuple[float, ...]) -> tuple[TablePlace, ...]:
    return tuple(
        TablePlace(Column(amount_text(a), d), d, a, NO_CHINESE if d == "ATIS-ZH" else "") for d in data for a in amounts
    )


def _main_rows(end: str) -> tuple[TableRow, ...]:
    """Those of table 5, in its order."""
    return tuple(
        row
        for cell in ("RNN", "GRU")
        for row in (_ours(end, cell), *(_baseline(end, cell, helped) for helped in ("", "+i", "+o", "+kd", "+pr")))
    )


def _every_row(end: str) -> tuple[TableRow, ...]:
    return (
        *(_ours(end, cell) for cell in ("RNN", "GRU")),
        *(_baseline(end, base, helped) for base in _BASES for helped in _HELP),
    )


def _statistics() -> tuple[TableCell, ...]:
    found = []
    for data in DATA:
        why_not = NO_CHINESE if data == "ATIS-ZH" else ""
        job = None if why_not else Job("slot facts", data, "rules", 0.0)
        texts, words, hours = _SIZES[data]
        found += [
            TableCell(data, Column("train texts"), job, "train texts", printed=texts, why_not=why_not),
            TableCell(data, Column("words"), job, "words", printed=words, why_not=why_not),
            TableCell(
                data,
                Column("hours of writing"),
                None,
                "hours",
                printed=hours,
                why_not="Hours are the time that writing the rules took.",
            ),
        ]
        for title, key in (
            ("rules", "rules"),
            ("FST states", "fst_states"),
            ("i-FST states", "ifst_states"),
            ("precision", "precision"),
            ("recall", "recall"),
            ("F1", "f1"),
        ):
            place: Path = ("fstrnn", "rule_system", data, key)
            found.append(TableCell(data, Column(title), job, key.replace("_", " "), (place,), why_not=why_not))
    return tuple(found)


def _bert_rows() -> tuple[TableRow, ...]:
    def at(key: str) -> TableRow:
        def published(_: str, amount: float) -> tuple[Path, ...]:
            return (("fstrnn", "contextual_snips", key, AMOUNTS.index(amount)),)

        name = key.replace("BERT", "encoder")
        if "FST" in key:
            model = key.removeprefix("BERT+").lower().replace("+crf", "-crf")
            model = model if model.endswith("-crf") else f"{model}-softmax"
            return TableRow(name, model, published, (("vectors", "context"), ("tune_encoder", True)))
        return TableRow(name, name.lower().replace("+crf", "-crf"), published)

    chained = ("BERT+FSTRNN+CRF", "BERT+FSTGRU+CRF", "BERT+CRF")
    plain = ("BERT+FSTRNN", "BERT+FSTGRU", "BERT", "BERT+i", "BERT+o", "BERT+kd", "BERT+pr")
    ours = TableRow(OURS, "fstrnn+reader", lambda data, amount: (), (("vectors", "context"), ("tune_encoder", True)))
    return (ours, *map(at, plain), *map(at, chained))


def _bert_cells() -> tuple[TableCell, ...]:
    printed = [
        TableCell(
            f"encoder+CRF+{helped}",
            Column(amount_text(amount)),
            Job("slots", "SNIPS", f"encoder-crf+{helped}", amount),
            "f1",
            printed=figure,
        )
        for helped, figures in _BERT_CRF.items()
        for amount, figure in zip(AMOUNTS[1:], figures, strict=True)
    ]
    places = tuple(TablePlace(Column(amount_text(amount)), "SNIPS", amount) for amount in AMOUNTS)
    return (*crossed("slots", _bert_rows(), places, "f1"), *printed)


def _ablation(
    name: str, model: str, *settings: tuple[str, str | int | float], title: str = "", why_not: str = ""
) -> TableRow:
    return TableRow(
        title or name, model, lambda data, _: (("fstrnn", "ablation_full_data", name, data),), settings, why_not
    )


_FULL_MODEL = "fstgru-crf"
_ABLATIONS = (
    _ablation("FSTGRU-crf", _FULL_MODEL, title="FSTGRU-CRF"),
    _ablation("without CRF", "fstgru-softmax"),
    _ablation("without gates", "fstrnn-crf"),
    _ablation("without nonlinearity", _FULL_MODEL, ("activation", "none")),
    _ablation(
        "ReLU",
        _FULL_MODEL,
        why_not="States are kept in [0, 1] here, which makes the network equal the rules; a ReLU alone does not.",
    ),
    _ablation("without dummy states", _FULL_MODEL, ("extra_states", 0)),
    _ablation("without word vectors", _FULL_MODEL, ("vectors", "none")),
    _ablation("random initialisation", _FULL_MODEL, ("initial", "random"), title="random start"),
)


def _tagged_curve() -> tuple[TableCell, ...]:
    amounts = (100.0, 300.0, 1000.0, 3000.0)
    own = Job("slots", "SNIPS", "fstrnn-softmax", 0.0)
    untrained = [TableCell("FSTRNN, untrained", Column(amount_text(amount)), own, "f1") for amount in amounts]
    return (
        *untrained,
        *(
            TableCell(
                name, Column(amount_text(amount)), Job("slots", "SNIPS", model, amount, (("labels", "rules"),)), "f1"
            )
            for name, model in (
                ("BiGRU+i+CRF", "bigru-crf+i"),
                ("BiGRU+o+CRF", "bigru-crf+o"),
                ("BiGRU+CRF", "bigru-crf"),
            )
            for amount in amounts
        ),
    )


def _eta_curve() -> tuple[TableCell, ...]:
    return tuple(
        TableCell(name, Column(f"{eta:g}"), Job("slots", "SNIPS", "fstrnn-crf", amount, (("rule_weight", eta),)), "f1")
        for name, amount in (("untrained", 0.0), ("trained on 100%", 1.0))
        for eta in (0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
    )


def _full_table(number: int, data: str) -> PaperTable:
    places = tuple(
        TablePlace(Column(place.column.name), data, place.amount, place.why_not) for place in _places((data,), AMOUNTS)
    )
    rows = (*_every_row("softmax"), *_every_row("crf"), _WITH_AUXILIARY)
    return PaperTable(
        f"emnlp2021-table{number}",
        f"All results on {data}",
        _F1,
        crossed("slots", rows, places, "f1"),
        (_QUICK, frozenset(("0", "10"))),
        note=_READER_NOTE,
    )


_READER_NOTE = (
    "The row named ours has the settings of the objective accuracy, with an auxiliary encoder on contextual vectors; "
    "all other rows use the encoder's vector of each word, where the paper had GloVe. Its published figure is the best "
    "of the paper's four FSTRNN and FSTGRU. The F1 of the rules without training is in emnlp2021-table3; where a "
    "network is below it, training has not helped on test."
)
_QUICK = frozenset((OURS, "FSTRNN-softmax", "FSTRNN-CRF", "BiGRU-softmax", "BiGRU+i-softmax", "BiGRU-CRF"))
_ZERO_PLACES = tuple(TablePlace(Column(place.data), place.data, 0.0, place.why_not) for place in _places(DATA, (0.0,)))
_ZERO_ROWS = (
    *(_ours(end, cell) for end in _ENDS for cell in ("RNN", "GRU")),
    *(_baseline("softmax", "GRU", helped) for helped in ("", "+i", "+o")),
    _RULES,
)

TABLES = (
    PaperTable(
        "emnlp2021-table1",
        "FST and i-FST: formulas of space and time",
        why_not="It holds formulas alone. The states of both for each rule set are in emnlp2021-table2.",
    ),
    PaperTable(
        "emnlp2021-table2",
        "The data sets, and the rules by themselves",
        "counts, and figures on test in per cent",
        _statistics(),
        note="Slots are counted over all splits. States: of the minimal transducer of all rules, and made independent.",
    ),
    PaperTable("emnlp2021-table3", "F1 without annotated texts", _F1, crossed("slots", _ZERO_ROWS, _ZERO_PLACES, "f1")),
    PaperTable(
        "emnlp2021-table4",
        "F1 on SNIPS with words read in their sentences",
        _F1,
        _bert_cells(),
        (frozenset(("encoder+FSTRNN", "encoder", "encoder+i")), frozenset(("0", "10"))),
        note="The encoder here is all-MiniLM-L6-v2 (22 million parameters), in the paper BERT-base (110 million). Both "
        "learn along. Without texts the paper gives the baselines no figure.",
    ),
    PaperTable(
        "emnlp2021-table5",
        "F1 with 10 and 50 texts, 10% and 100% of the training texts",
        _F1,
        crossed(
            "slots", (_WITH_AUXILIARY, *_main_rows("softmax"), *_main_rows("crf")), _places(DATA, AMOUNTS[1:]), "f1"
        ),
        (_QUICK, frozenset(f"{data} 10" for data in ("ATIS", "SNIPS"))),
        note=_READER_NOTE
        + " The BiRNN rows take the learning rate that was best on dev: 0.003 with 10 texts of ATIS, and 0.002 with 50 "
        "and on SNIPS. The paper's averages over three data sets are left out: one of them is not here.",
    ),
    PaperTable(
        "emnlp2021-table6",
        "What each part of FSTGRU-CRF brings, trained on all texts",
        _F1,
        crossed(
            "slots", _ABLATIONS, tuple(TablePlace(Column(p.data), p.data, 1.0, p.why_not) for p in _ZERO_PLACES), "f1"
        ),
        (frozenset(("FSTGRU-CRF", "without gates", "without word vectors")), frozenset(("ATIS",))),
    ),
    *(_full_table(number, data) for number, data in ((10, "ATIS"), (11, "SNIPS"), (12, "ATIS-ZH"))),
    PaperTable(
        "emnlp2021-figure4",
        "Baselines trained on texts that the rules tagged (SNIPS)",
        _F1,
        _tagged_curve(),
        (frozenset(("FSTRNN, untrained", "BiGRU+CRF")), frozenset(("100", "300"))),
        CurveAxes("texts tagged by the rules", "F1 in per cent"),
        note="The paper reads off it that 1,000 such texts bring +i, and 3,000 the plain network and +o, to FSTRNN.",
    ),
    PaperTable(
        "emnlp2021-figure5",
        "FSTRNN-CRF against eta, the weight of the rules against word vectors (SNIPS)",
        _F1,
        _eta_curve(),
        (frozenset(("untrained",)), frozenset()),
        CurveAxes("eta (1: the rules alone)", "F1 in per cent"),
        note="The paper prints no numbers for it.",
    ),
)
