"""What columns are called in other languages than English, as the English name of the same role.

A name stands here if it is hardly anything else: German "Art" and Spanish "tipo" are kinds of many a thing, and are not
here. Names of texts and of labels first, then those of columns that hold neither.
"""

from __future__ import annotations

import unicodedata

_NAMES = {
    "text": (
        *("texte", "texto", "testo", "tekst", "teksti"),
        *("tekstas", "teksts", "szöveg", "metin", "yazı", "besedilo"),
        *("văn bản", "teks", "текст", "мәтін", "κείμενο", "טקסט", "نص", "النص", "متن", "पाठ", "टेक्स्ट"),
        *("ข้อความ", "文本", "正文", "文字", "テキスト", "本文", "텍스트", "본문", "freitext", "verbatims", "libellé"),
        "verbatim client",
    ),
    "content": (
        *("contenu", "contenido", "conteúdo", "inhalt", "contenuto"),
        *("treść", "obsah", "içerik", "содержание", "内容"),
        "내용",
    ),
    "sentence": (
        *("satz", "sätze", "oración", "oracion", "frase", "frasi", "frases", "zin", "zdanie", "věta", "veta"),
        *("lause", "mening", "setning", "sætning", "mondat"),
        *("cümle", "предложение", "речення", "πρόταση", "kalimat"),
        *("câu", "句子", "文", "문장", "जملة", "جملة"),
        *("جمله", "משפט", "वाक्य", "ประโยค", "propoziție", "rečenica"),
    ),
    "message": (
        *("nachricht", "mitteilung", "mensaje", "mensagem", "messaggio", "wiadomość", "zpráva", "správa"),
        *("viesti", "meddelande", "melding", "besked"),
        *("üzenet", "mesaj", "сообщение", "повідомлення", "съобщение"),
        *(
            "μήνυμα",
            "pesan",
            "tin nhắn",
            "消息",
            "信息",
            "短信",
            "メッセージ",
            "메시지",
            "رسالة",
            "پیام",
            "הודעה",
            "संदेश",
            "poruka",
        ),
    ),
    "question": (
        *("frage", "pregunta", "pergunta", "domanda", "vraag"),
        *("pytanie", "otázka", "kysymys", "fråga", "spørgsmål"),
        *(
            "spørsmål",
            "kérdés",
            "soru",
            "вопрос",
            "питання",
            "ερώτηση",
            "pertanyaan",
            "câu hỏi",
            "问题",
            "質問",
            "질문",
        ),
        *("سؤال", "پرسش", "שאלה", "प्रश्न", "întrebare", "pitanje"),
    ),
    "comment": (
        *("kommentar", "kommentare", "kundenkommentar"),
        *("anmerkung", "bemerkung", "commentaire", "commentaires"),
        *("comentario", "comentarios", "comentário", "comentários"),
        *("commento", "commenti", "opmerking", "opmerkingen"),
        *("reactie", "komentarz", "komentář", "komentár"),
        *("komentar", "kommentti", "kommentarer", "megjegyzés"),
        *("yorum", "комментарий", "комментарии", "коментар", "σχόλιο", "bình luận", "评论", "評論", "留言", "コメント"),
        *("댓글", "의견", "تعليق", "نظر", "תגובה", "टिप्पणी", "comentariu"),
    ),
    "review": (
        *(
            "rezension",
            "rezensionen",
            "reseña",
            "reseñas",
            "avis",
            "avis client",
            "recensione",
            "recensioni",
            "recenzja",
        ),
        *("recenze", "arvostelu", "recension", "anmeldelse"),
        *("vélemény", "değerlendirme", "отзыв", "отзывы", "відгук"),
        *(
            "κριτική",
            "ulasan",
            "đánh giá",
            "评价",
            "レビュー",
            "口コミ",
            "리뷰",
            "مراجعة",
            "ביקורת",
            "समीक्षा",
            "recenzie",
        ),
    ),
    "request": (
        *(
            "anfrage",
            "anliegen",
            "kundenanliegen",
            "demande",
            "solicitud",
            "consulta",
            "richiesta",
            "verzoek",
            "запрос",
        ),
        *("обращение", "beschwerde", "réclamation", "reclamo"),
        *("queja", "reclamação", "klacht", "жалоба", "投诉"),
    ),
    "description": (
        *("beschreibung", "description du problème", "descripción"),
        *("descripcion", "descrição", "descrizione"),
        *(
            "omschrijving",
            "beschrijving",
            "opis",
            "popis",
            "kuvaus",
            "beskrivning",
            "beskrivelse",
            "leírás",
            "açıklama",
        ),
        *("описание", "опис", "περιγραφή", "deskripsi", "mô tả", "描述", "説明", "설명", "وصف", "תיאור", "विवरण"),
    ),
    "label": (
        *("étiquette", "etiquette", "etiqueta", "etichetta"),
        *("etykieta", "etikett", "etiket", "etikette", "štítek"),
        *("oznaka", "etikedi", "címke", "nimilappu", "tunniste"),
        *("метка", "мітка", "етикет", "ετικέτα", "nhãn"),
        *("标签", "標籤", "ラベル", "라벨", "레이블", "وسم", "تسمية", "برچسب", "תווית", "लेबल", "etichetă"),
    ),
    "class": (
        *("klasse", "classe", "clase", "klasa", "klass"),
        *("luokka", "třída", "trieda", "osztály", "sınıf", "класс"),
        *(
            "клас",
            "κλάση",
            "kelas",
            "lớp",
            "类别",
            "類別",
            "クラス",
            "클래스",
            "فئة",
            "کلاس",
            "clasă",
            "razred",
            "klasė",
        ),
    ),
    "category": (
        *("kategorie", "kategorien", "catégorie", "categorie"),
        *("categoría", "categoria", "categorieën", "kategoria"),
        *("kategória", "kategori", "kategorija", "kategoorija"),
        *("категория", "категорія", "κατηγορία", "danh mục"),
        *("分类", "分類", "カテゴリー", "カテゴリ", "카테고리", "분류", "تصنيف", "دسته", "קטגוריה", "श्रेणी", "rubrik"),
        *("rubrique", "rubro", "рубрика"),
    ),
    "intent": (
        *("absicht", "intention", "intención", "intencion"),
        *("intenção", "intenzione", "intencja", "záměr", "avsikt"),
        *("niyet", "намерение", "інтент", "интент", "意图", "意圖", "意図", "의도", "قصد", "ý định"),
    ),
    "sentiment": (
        *("stimmung", "sentimiento", "sentimento", "sentyment"),
        *("duygu", "тональность", "настроение", "συναίσθημα"),
        *("情感", "情绪", "感情", "감정", "مشاعر", "احساس", "cảm xúc"),
    ),
    "topic": (
        *("thema", "themen", "thème", "theme", "sujet traité", "tema"),
        *("temat", "téma", "aihe", "ämne", "emne", "konu"),
        *("тема", "θέμα", "topik", "chủ đề", "主题", "主題", "话题", "トピック", "주제", "موضوع", "נושא", "विषय"),
    ),
    "date": (
        *("datum", "fecha", "päivämäärä", "dato", "dátum"),
        *("tarih", "дата", "ημερομηνία", "tanggal", "ngày", "日期"),
        *(
            "日付",
            "날짜",
            "تاريخ",
            "تاریخ",
            "תאריך",
            "दिनांक",
            "uhrzeit",
            "zeitstempel",
            "heure",
            "hora",
            "время",
            "时间",
        ),
    ),
    "number": (
        *("nummer", "lfd nr", "numéro", "numero", "número", "numer", "číslo", "sorszám", "numara", "номер"),
        *("编号", "序号", "番号", "번호", "رقم", "מספר", "laufende nummer", "ticketnummer"),
    ),
    "author": ("autor", "auteur", "autore", "verfasser", "tekijä", "автор", "作者", "작성자"),
    "rating": (
        *("bewertung", "sternebewertung", "calificación", "calificacion", "puntuación", "puntuacion", "valoración"),
        *("évaluation client", "valutazione", "classificação", "classificacao", "beoordeling", "ocena", "оценка"),
        *("评分", "評分", "評価点", "평점", "puan"),
    ),
    "stars": ("sterne", "estrellas", "étoiles", "stelle", "estrelas", "sterren", "星级"),
    "split": (
        *("datensatz", "aufteilung", "teilmenge", "conjunto", "partición", "particion", "jeu", "jeu de données"),
        *("sous-ensemble", "ensemble", "partizione", "suddivisione", "insieme", "partição", "particao", "divisão"),
        *("divisao", "conjunto de dados", "conjunto de datos", "deelverzameling"),
    ),
    "source": ("quelle", "fuente", "fonte", "bron", "źródło", "zdroj", "lähde", "källa", "kilde", "источник", "来源"),
    "channel": ("kanal", "canal", "canale", "kanaal", "kanał", "канал", "渠道"),
    "customer": ("kunde", "client", "cliente", "klant", "klient", "zákazník", "asiakas", "клиент", "客户"),
    "country": ("land", "pays", "país", "pais", "paese", "kraj", "maa", "страна", "国家"),
    "city": ("stadt", "ville", "ciudad", "cidade", "città", "miasto", "kaupunki", "город", "城市"),
    "title": (
        "titel",
        "titre",
        "título",
        "titolo",
        "tytuł",
        "otsikko",
        "заголовок",
        "标题",
        "タイトル",
        "제목",
        "betreff",
    ),
    "subject": ("asunto", "assunto", "objet", "oggetto", "onderwerp"),
    "language": ("sprache", "langue", "idioma", "lingua", "taal", "język", "kieli", "язык", "语言"),
}
_ROLES = {unicodedata.normalize("NFC", name).casefold(): role for role, names in _NAMES.items() for name in names}


# Chinese and Japanese write several words as one: what stands before a name, and behind one.
_BEFORE = frozenset(("用户", "客户", "顾客", "原始", "原文", "ユーザー", "お客様", "顧客"))
_BEHIND = frozenset(("内容", "倾向", "名称", "名", "列", "字段", "类型", "類型", "输入", "文", "本文", "全文"))
_LONGEST_JOINED = 8


def english_name(name: str) -> str:
    """The English name of a column with this name, in lower case; the name itself where none is known."""
    folded = _folded(name)
    return _role(folded) or folded


def is_translated(name: str) -> bool:
    """True for the name of a column in another language that stands here, or is made of two such words."""
    return _role(_folded(name)) is not None


def _role(name: str) -> str | None:
    if name in _ROLES or name.isascii() or len(name) > _LONGEST_JOINED:
        return _ROLES.get(name)
    for place in range(1, len(name)):
        first, last = name[:place], name[place:]
        if first in _ROLES and last in _BEHIND:
            return _ROLES[first]
        if last in _ROLES and (first in _BEFORE or (first in _ROLES and not _has_letters_with_case(name))):
            return _ROLES[last]
    return None


def _has_letters_with_case(name: str) -> bool:
    return name.upper() != name.lower()


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name.strip()).casefold()
