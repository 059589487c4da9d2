"""The routes of `re2nn serve`: the model's own predictions, together and one by one, and a clear error for the rest."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from support.command_line import LOGIC, RULES, TEXTS

import re2nn_core as re2nn
from re2nn_core.errors import InputError, ModelError
from re2nn_core.server.application import Server, application
from re2nn_core.server.settings import TOKEN_VARIABLE, ServedRules, Settings, read_token
from re2nn_core.text.json_text import json_text

CITY_RULES = "to := $* to [ oslo | new york ]<city> $*"
WORDS = [text for _, text in TEXTS]
TOKEN = "a-token-of-20-signs-"


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with models for labels and for slots, and rules."""
    root = tmp_path_factory.mktemp("models")
    labels = re2nn.compile(RULES, logic=LOGIC)
    re2nn.train(labels, [(text, label) for label, text in TEXTS] * 5, folder=root / "labels", epochs=2)
    re2nn.compile(CITY_RULES, tokenizer="punctuation").save(root / "slots")
    (root / "own.txt").write_text(RULES, encoding="utf-8")
    return root


@pytest.fixture
def settings(models: Path, tmp_path: Path) -> Settings:
    named = tuple((name, str(models / name)) for name in ("labels", "slots"))
    rules = ServedRules(str(models / "own.txt"), None, "whitespace", True)
    return Settings(named, rules, timeout=20.0, queue=100, metrics=str(tmp_path))


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    with TestClient(application(settings), base_url="http://localhost") as found:
        yield found


def post(client: TestClient, body: object, path: str = "/v1/predict", **headers: str) -> tuple[int, Any]:
    """Status and JSON of a request; a body that is no text is sent as JSON."""
    content = body if isinstance(body, str | bytes) else json.dumps(body)
    response = client.post(path, content=content, headers=headers)
    return response.status_code, response.json()


def test_predictions_are_those_of_the_models(client: TestClient, models: Path) -> None:
    for name in ("labels", "slots"):
        model = re2nn.load(models / name)
        texts = ["fly to new york", *WORDS, ""]
        status, found = post(client, {"texts": texts, "model": name})
        assert (status, found["model"]) == (200, name)
        for one, row in zip(model.predictions(texts), found["predictions"], strict=True):
            if name == "labels":
                assert (row["label"], row["rules"]) == (one.label, list(one.rules))  # type: ignore[union-attr]
                assert row["confidence"] == pytest.approx(one.confidence, abs=1e-5)
            else:
                spans = [(span["start"], span["end"], span["slot"]) for span in row["spans"]]
                assert spans == [(span.start, span.end, span.slot) for span in one.spans]  # type: ignore[union-attr]
    assert post(client, {"text": WORDS[1]})[1]["prediction"]["label"] == "fare"
    assert post(client, {"texts": []})[1]["predictions"] == []
    status, found = post(client, {"text": "i want to go home", "model": "own"})
    assert found["prediction"] == {"text": "i want to go home", "label": None, "confidence": None, "rules": []}


def test_an_explanation_is_the_models(client: TestClient, models: Path) -> None:
    status, found = post(client, {"text": WORDS[1]}, "/v1/explain")
    assert (status, found["explanation"]["prediction"]) == (200, "fare")
    assert {word["text"] for word in found["explanation"]["words"]} == set(WORDS[1].split())


def test_the_models_are_listed_and_described(client: TestClient, models: Path) -> None:
    listed = client.get("/v1/models").json()["models"]
    assert [(one["name"], one["task"], one["trained"]) for one in listed] == [
        ("labels", "classification", re2nn.load(models / "labels").trained),
        ("slots", "slots", False),
        ("own", "classification", False),
    ]
    assert listed[1]["slots"] == ["city"]
    assert client.get("/healthz").json() == {"status": "ok"}
    described = client.get("/openapi.json").json()
    assert set(described["paths"]) >= {"/v1/predict", "/v1/explain", "/v1/models", "/healthz", "/metrics"}
    shown = client.get("/").text
    assert "curl http://localhost/v1/predict" in shown
    assert "http" not in shown.replace("http://localhost", "")  # nothing is loaded from elsewhere


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ("no json", 400, "The body is no JSON object: Expecting value"),
        (b"\xff\xfe", 400, "The body is no JSON object"),
        ("[1]", 400, "a JSON object is expected, not a list. Send"),
        ("[" * 100_000, 400, "lists and objects are nested too deeply"),
        ({}, 422, "Either text or texts is expected."),
        ({"text": "a", "texts": ["a"]}, 422, "Either text or texts is expected."),
        ({"texts": "a"}, 422, "texts must be a list of strings (got str)."),
        ({"texts": ["a", 7]}, 422, "Text 2 is no string (got int)."),
        ('{"texts": ["a", "\\ud800"]}', 422, "Text 2 holds half a surrogate pair (\\ud800)."),
        ({"text": "a", "modle": "x"}, 422, "Unknown field 'modle'."),
        ({"text": "a", "model": 3}, 422, "model must be the name of a model (got int)."),
        ({"text": "a", "model": "x"}, 404, "There is no model 'x'. The models are: labels, slots, own."),
        ({"text": "a " * 500_000}, 413, "Text 1 has 1,000,000 characters; at most 100,000 are read."),
        ({"texts": ["a"] * 101}, 413, "101 texts were sent; at most 100 are taken."),  # as many as may wait
        ("a" * 4_000_001, 413, "The body has 4,000,001 bytes or more; at most 4,000,000 are read."),
    ],
    ids=lambda value: str(value)[:30],
)
def test_bad_requests_get_a_clear_error(client: TestClient, body: object, status: int, message: str) -> None:
    found = post(client, body)
    assert (found[0], set(found[1])) == (status, {"error"})
    assert message in found[1]["error"]
    assert post(client, {"text": WORDS[1]})[0] == 200


def test_errors_of_paths_are_json_too(client: TestClient) -> None:
    assert client.get("/v1/nothing").json() == {"error": "There is nothing at /v1/nothing. GET / lists the paths."}
    assert client.get("/v1/predict").json()["error"].startswith("/v1/predict does not take GET.")
    assert post(client, {"texts": ["a"]}, "/v1/explain")[1]["error"].startswith("One text is explained at a time.")
    status, found = post(client, {"text": "a" * 5_001}, "/v1/explain")
    assert (status, found["error"]) == (413, "Text 1 has 5,001 characters; at most 5,000 are read.")


def test_a_request_may_hold_as_many_texts_as_may_wait(settings: Settings) -> None:
    assert (settings.most_together, replace(settings, queue=10_000).most_together) == (100, 1_000)


def test_a_full_queue_says_when_to_try_again(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    monkeypatch.setattr(Server, "_predict", lambda self, model, texts: released.wait(20) and [{} for _ in texts])
    with (
        TestClient(application(settings), base_url="http://localhost") as client,
        ThreadPoolExecutor() as others,
    ):
        waiting = others.submit(client.post, "/v1/predict", json={"texts": ["a"] * 100})
        while "re2nn_waiting_texts 100" not in client.get("/metrics").text:
            time.sleep(0.01)
        response = client.post("/v1/predict", json={"text": "a"})
        released.set()
        assert (response.status_code, response.headers["retry-after"]) == (429, "1")
        assert response.json() == {"error": "More than 100 texts wait. Try again later."}
        assert waiting.result().status_code == 200
        assert client.post("/v1/predict", json={"text": "a"}).status_code == 200


def test_a_request_that_takes_too_long_ends(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    monkeypatch.setattr(Server, "_predict", lambda *_: released.wait(20) and [])
    with TestClient(application(replace(settings, timeout=0.2)), base_url="http://localhost") as client:
        status, found = post(client, {"text": "a"})
        released.set()
    assert (status, found["error"]) == (504, "There was no result within 0.2 s. Send fewer or shorter texts.")


def test_a_body_that_does_not_arrive_ends(settings: Settings) -> None:
    app = application(replace(settings, timeout=0.2))

    async def asked() -> list[dict[str, Any]]:
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            await asyncio.sleep(10)
            return {}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "POST", "path": "/v1/predict", "query_string": b"", "http_version": "1.1"}
        await app({**scope, "headers": [(b"host", b"localhost")], "scheme": "http"}, receive, send)  # type: ignore[arg-type]
        return sent

    sent = asyncio.run(asked())
    assert sent[0]["status"] == 408
    assert b"The body did not arrive within 0.2 s." in sent[1]["body"]


def test_requests_that_arrive_together_are_predicted_together(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    own = Server._predict

    def slow(self: Server, served: Any, texts: Any) -> Any:
        sizes.append(len(texts))
        time.sleep(0.1)
        return own(self, served, texts)

    monkeypatch.setattr(Server, "_predict", slow)
    with (
        TestClient(application(settings), base_url="http://localhost") as client,
        ThreadPoolExecutor(20) as pool,
    ):
        found = list(pool.map(lambda text: post(client, {"text": text})[1]["prediction"]["text"], WORDS * 3))
    assert found == WORDS * 3  # each gets its own
    assert sum(sizes) == len(WORDS) * 3
    assert max(sizes) > 4


def test_a_failure_is_told_to_those_it_meets_alone(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    own = Server._predict

    def failing(self: Server, served: Any, texts: Any) -> Any:
        if "broken" in texts:
            raise InputError("This text breaks.")
        return own(self, served, texts)

    monkeypatch.setattr(Server, "_predict", failing)
    with TestClient(application(settings), base_url="http://localhost") as client:
        assert post(client, {"text": "broken"}) == (422, {"error": "This text breaks."})
        assert post(client, {"text": WORDS[1]})[0] == 200


def test_a_token_is_asked_for(settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n", encoding="utf-8")
    with TestClient(application(replace(settings, token_file=str(file))), base_url="http://localhost") as client:
        for given, what in ((None, "is missing"), (f"Bearer {TOKEN}x", "is not the one of this server")):
            headers = {} if given is None else {"Authorization": given}
            status, found = post(client, {"text": "a"}, **headers)
            assert (status, found["error"]) == (
                401,
                f'The token {what}. Send the header "Authorization: Bearer TOKEN".',
            )
            assert client.get("/metrics", headers=headers).headers["www-authenticate"] == "Bearer"
        assert post(client, {"text": "a"}, Authorization=f"Bearer {TOKEN}")[0] == 200
        assert client.get("/healthz").status_code == client.get("/").status_code == 200


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty. Write a token of 16 characters or more into it."),
        ("short", "must have 16 ASCII characters or more, without blanks (got 5 characters)."),
        ("two words that are long", "without blanks"),
        (None, "the token cannot be read."),
    ],
)
def test_tokens_that_protect_nothing_are_refused(tmp_path: Path, content: str | None, message: str) -> None:
    if content is not None:
        (tmp_path / "token").write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_token(str(tmp_path / "token"))
    assert message in str(error.value)


def test_a_token_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_token("") == ""
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    assert read_token("") == TOKEN


def test_other_names_are_refused_where_there_is_no_token(settings: Settings) -> None:
    app = application(replace(settings, hosts=("localhost", "[::1]")))
    with TestClient(app, base_url="http://localhost:8600") as client:
        assert client.get("/healthz").status_code == 200
        assert client.get("/healthz", headers={"Host": "[::1]:8600"}).status_code == 200
        response = client.get("/v1/models", headers={"Host": "evil.example:8600"})
    assert response.status_code == 421
    assert response.json()["error"].startswith("This server cannot be asked as 'evil.example'.")


def test_a_changed_model_is_read_again(models: Path, settings: Settings, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(models / "labels", folder)
    server = Server(replace(settings, models=(("own model", str(folder)),), rules=None))
    served = server.models["own model"]
    assert not served.refresh()
    re2nn.compile("[other]\nany := $*").save(folder)
    assert served.refresh()
    assert served.model.predict(["x"]) == ["other"]
    (folder / "bundle.json").write_text("{}", encoding="utf-8")
    assert not served.refresh()
    assert served.model.predict(["x"]) == ["other"]
    assert "has format None" in served.described["problem"]
    re2nn.compile("[third]\nany := $*").save(folder)
    assert served.refresh()
    assert (served.model.predict(["x"]), served.described["problem"]) == (["third"], None)


def test_counts_are_summed_over_workers(client: TestClient, tmp_path: Path) -> None:
    post(client, {"texts": WORDS})
    post(client, "none")
    (tmp_path / "1.json").write_text(json_text({"re2nn_batches_total": 5, "re2nn_workers": 1}), encoding="utf-8")
    lines = client.get("/metrics").text.splitlines()
    assert 're2nn_requests_total{path="/v1/predict",status="200"} 1' in lines
    assert 're2nn_requests_total{path="/v1/predict",status="400"} 1' in lines
    assert f're2nn_texts_total{{model="labels"}} {len(WORDS)}' in lines
    assert "re2nn_batches_total 6" in lines
    assert "re2nn_workers 2" in lines
    assert "# TYPE re2nn_request_seconds histogram" in lines
    assert all(line.startswith("#") or len(line.rpartition(" ")[2]) for line in lines)


def test_a_worker_that_ended_is_not_counted_any_more(client: TestClient, tmp_path: Path) -> None:
    counts = {"re2nn_batches_total": 5, "re2nn_workers": 1, "re2nn_waiting_texts": 9}
    (tmp_path / "1.json").write_text(json_text(counts), encoding="utf-8")
    os.utime(tmp_path / "1.json", (0, 0))
    lines = client.get("/metrics").text.splitlines()
    assert {"re2nn_workers 1", "re2nn_waiting_texts 0", "re2nn_batches_total 5"} <= set(lines)


def test_two_of_one_name_and_no_model_are_refused(settings: Settings, tmp_path: Path) -> None:
    assert settings.rules is not None
    with pytest.raises(InputError, match="A model and the rules are both called 'own'"):
        Server(replace(settings, models=(("own", settings.models[0][1]),)))
    with pytest.raises(ModelError, match="is not a model folder"):
        Server(replace(settings, models=(("none", str(tmp_path)),)))
