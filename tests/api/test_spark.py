"""The pandas UDF of the guide's page on Python, run by a Spark of this computer."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.command_line import LOGIC, RULES, TEXTS

import re2nn_core as re2nn
from re2nn_core.api.batch_scorer import BatchScorer

GUIDE = Path(re2nn.__file__).parent / "guide" / "topics" / "python.md"
WORDS = [f"{text} {number}" for number in range(20) for _, text in TEXTS]


@pytest.fixture
def spark(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A Spark with two processes."""
    sql = pytest.importorskip("pyspark.sql", reason="Spark is not installed: pip install pyspark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java, which is not installed")
    here = os.pathsep.join(path for path in sys.path if path)
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("PYTHONPATH", here)  # of the processes of Spark
    builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    yield session
    session.stop()


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # of Spark's own
def test_the_pandas_udf_of_the_guide_predicts_what_python_does(spark: Any, tmp_path: Path) -> None:
    """The lines of the guide as they stand, but for the folder of the model."""
    re2nn.compile(RULES, logic=LOGIC).save(tmp_path / "model")
    [code] = re.findall(r"```\n(import pandas as pd\n.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    lines = code.replace("/shared/model", str(tmp_path / "model")).rstrip().splitlines()
    texts = spark.createDataFrame([(number, text) for number, text in enumerate(WORDS)], ["number", "text"])
    known: dict[str, Any] = {"texts": texts.repartition(3), "BatchScorer": BatchScorer}
    exec("\n".join([*lines[:-1], f"labelled = {lines[-1]}"]), known)  # noqa: S102 - the guide's own lines
    rows = sorted(known["labelled"].collect())
    labels = [row["label"] for row in BatchScorer(tmp_path / "model")(WORDS)]
    assert [(row["number"], row["text"], row["label"]) for row in rows] == [
        (number, text, label) for number, (text, label) in enumerate(zip(WORDS, labels, strict=True))
    ]
