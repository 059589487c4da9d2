"""Which first rows are taken for names of columns, and which are texts like the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from re2nn_core.exchange.read import read_table
from re2nn_core.exchange.tables.columns import choose_columns
from re2nn_core.exchange.tables.header import column_role, is_header
from re2nn_core.exchange.tables.table import Table

BENCHMARKS = Path(__file__).resolve().parents[4] / "shared" / "benchmarks"
CUSTOMERS = "id,date,customer comment,sentiment\n" + "".join(
    f"{number},2024-01-{1 + number % 2:02d},the parcel number {number} came late,{'bad' if number % 3 else 'good'}\n"
    for number in range(30)
)


def _chosen(table: Table) -> tuple[str, str | None, str | None]:
    found = choose_columns(table)
    return found.text, found.label, found.split


def test_an_export_of_comments_is_read_without_being_told_anything() -> None:
    table = read_table(CUSTOMERS.encode(), "cust.csv")
    assert (table.had_header, len(table.rows), table.notes) == (True, 30, ())
    assert _chosen(table) == ("customer comment", "sentiment", None)


@pytest.mark.parametrize(
    "data",
    [
        "comment\nhello there\nbye\n",
        "Customer Comments\nhello there\nbye\n",
        "createdDate,userId,x\n2024-01-01,1,a\n",
        "foo,bar\nhi,hello there my friend\nbye,see you next week\nhi,good morning to you\n",
        "what,when\nhello,2024-01-31\nbye,31.1.2024 12:30\n",
        "name,size\nhello,3\nbye,\nyou,4.5\n",
        "subject;body\nhello;good morning\nbye;see you\n",
    ],
)
def test_first_rows_that_name_columns(data: str) -> None:
    assert read_table(data.encode(), "texts.csv").had_header


NAMES = (
    *("文本,标签", "正文,类别", "テキスト,ラベル", "本文,カテゴリ", "텍스트,라벨", "текст,метка"),
    *("сообщение,категория", "отзыв,тональность", "teksti,luokka", "viesti,kategoria", "texto,etiqueta"),
    *("comentario,categoría", "texte,étiquette", "avis client,thème", "satz,klasse"),
    *("Kundenkommentar,Kategorie", "testo,etichetta", "tekst,label", "zdanie,kategoria", "věta,třída"),
    *("szöveg,címke", "mesaj,sınıf", "κείμενο,ετικέτα", "הודעה,תווית", "نص,تصنيف", "متن,برچسب"),
    *("वाक्य,लेबल", "ข้อความ,หมวดหมู่", "văn bản,nhãn", "kalimat,kelas", "texto da mensagem,categoria"),
    *("commentaire client,motif", "评论内容,情感倾向", "用户输入,意图标签", "短信内容,标签", "質問文,カテゴリ名"),
)


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("rows", [4, 40])
def test_names_in_other_languages_are_no_text(names: str, rows: int) -> None:
    below = "".join(f"{'so' * (n % 3)} it says number {n},{'abc'[n % 3] if rows > 4 else n}\n" for n in range(rows))
    table = read_table(f"{names}\n{below}".encode(), "texts.csv")
    text, label = names.split(",")
    assert (len(table.rows), table.notes) == (rows, ())
    assert _chosen(table)[0] == text
    assert rows == 4 or _chosen(table)[1] == label


@pytest.mark.parametrize("first", ["退款标签在哪里,退款", "我的评论,好评", "消息很好,好", "返金,料金"])
def test_short_texts_without_blanks_are_no_names(first: str) -> None:
    """Two words that are written as one name a column only where both name columns."""
    below = "我要订票,订票\n多少钱,价格\n去北京,订票\n票价是多少,价格\n"
    assert len(read_table(f"{first}\n{below}".encode(), "texts.csv").rows) == 5


@pytest.mark.parametrize(
    "data",
    [
        "hitza,mota\nwhere is my order,a\nmy order is late,b\nwhere is it,a\n",
        "agence,motif\nje veux changer mon adresse,adresse\nou est mon colis,colis\nmon colis est la,colis\n",
        "ဟို,ဒီ\nwhere is my order,a\nmy order is late,b\nwhere is it now,a\n",
    ],
)
def test_a_short_first_row_over_labels_that_come_again_names_columns(data: str) -> None:
    table = read_table(data.encode(), "texts.csv")
    assert (len(table.rows), len(table.notes)) == (3, 1)
    assert table.notes == ("The first row was read as column names, based on the rows below it.",)


@pytest.mark.parametrize(
    "data",
    [
        "flight\tshow me all flights\nfare\thow much is it\n",
        "hi\thello\nbye\tsee you next week\nhi\tgood morning to you\n",
        "description\twhat is a caldera\nnumber\thow many are there\ndescription\twho was he\n",
        "1\tflight\n2\tfare\n3\tfare\n",
        "hello\tgreet\nbye\tleave\nyes\tagree\n",
        "你好\t问候\n我的订单在哪里\t订单\n再见\t问候\n什么时候到呢\t订单\n",
        "review my order please\nhello there\n",
        "2023\t2024\n1\t2\n3\t4\n",
    ],
)
def test_first_rows_that_are_texts(data: str) -> None:
    assert not read_table(data.encode(), "texts.tsv").had_header


@pytest.mark.parametrize("name", ["atis", "sms", "trec"])
def test_no_row_of_the_published_files_would_be_taken_for_names(name: str) -> None:
    path = BENCHMARKS / name / "dev.tsv"
    if not path.exists():
        pytest.skip(f"the published file {name}/dev.tsv is not here")
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").split("\n") if line][:250]
    assert [row for place, row in enumerate(rows) if is_header(row, rows[:place] + rows[place + 1 :])] == []


def test_what_was_found_by_content_is_told() -> None:
    table = read_table(b"foo,bar\nhi,hello there my friend\nbye,see you next week\n", "texts.csv")
    assert table.columns == ("foo", "bar")
    assert table.notes == ("The first row was read as column names, based on the rows below it.",)


@pytest.mark.parametrize("name", ["texts.csv", "texts.txt", "no suffix"])
def test_a_row_that_holds_a_wanted_name_is_a_header(name: str) -> None:
    data = b"what they said,x\nhello,a\n" if name != "texts.txt" else b"what they said\nhello\n"
    assert not read_table(data, name).had_header
    table = read_table(data, name, wanted=["What They Said"])
    assert table.columns[0] == "what they said"
    assert table.rows[0][0] == "hello"
    assert not read_table(data, name, header=False, wanted=["what they said"]).had_header


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("customer comment", "comment"),
        ("date of comment", "date"),
        ("comment_id", "id"),
        ("Labels", "label"),
        ("-", ""),
        ("Kommentar Datum", "date"),
        ("texte de la demande", "text"),
        ("comentario cliente", "comment"),
        ("Kategorie", "category"),
    ],
)
def test_the_role_of_a_name(name: str, role: str) -> None:
    assert column_role(name) == role


def test_dates_and_ids_are_no_labels() -> None:
    rows = "".join(
        f"{number},hello my friend {number},2024-01-0{1 + number % 2},{number % 2}\n" for number in range(30)
    )
    assert _chosen(read_table(f"id,comment,date,x\n{rows}".encode(), "a.csv")) == ("comment", "x", None)
    many = "".join(f"greeting number {number},label{number}\n" for number in range(30))
    assert _chosen(read_table(f"text,label\n{many}".encode(), "a.csv")) == ("text", None, None)
