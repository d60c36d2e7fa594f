"""Plain text that declines, in ten languages; and text that declines and yet answers."""

from __future__ import annotations

import re
import string
import time
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.systems import codec, refusals
from pytest_webretrieval.systems.claims import read

URL = "https://vendor.example/a"
LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "zh-Hant", "zh-Hans", "ja", "ko")

ANSWERS: dict[str, list[dict[str, str]]] = yaml.safe_load(
    Path(__file__).with_name("refusal_answers.yaml").read_text("utf-8")
)
FACTS = {
    "en": "The fee is 40 EUR.",
    "de": "Die Gebühr beträgt 40 EUR.",
    "fr": "Le tarif est de 40 EUR.",
    "es": "La tarifa es de 40 EUR.",
    "pt": "A tarifa é de 40 EUR.",
    "it": "La tariffa è di 40 EUR.",
    "zh-Hant": "費用是 40 元。",
    "zh-Hans": "费用是 40 元。",
    "ja": "料金は 40 円です。",
    "ko": "요금은 40원입니다.",
}
CLOSINGS = {
    "en": (
        "Let me know if I can help with anything else.",
        "Would you like me to try another source?",
        "Sorry!",
    ),
    "de": ("Ich hoffe, das hilft Ihnen.", "Soll ich eine andere Quelle versuchen?", "Es tut mir leid."),
    "fr": ("N'hésitez pas à me donner un autre lien.", "Voulez-vous que je cherche ailleurs ?"),
    "es": ("Espero que esto le ayude.", "¿Quiere que busque en otra parte?", "Lo siento."),
    "pt": ("Espero que isto ajude.", "Quer que procure noutro sítio?", "Lamento."),
    "it": ("Spero che questo aiuti.", "Vuole che cerchi altrove?", "Mi dispiace."),
    "zh-Hant": ("請您稍後再試。", "要我查其他來源嗎？", "謝謝。"),
    "zh-Hans": ("请您稍后再试。", "要我查其他来源吗？", "谢谢。"),
    "ja": ("後でもう一度お試しください。", "他の情報源を調べましょうか？"),
    "ko": ("나중에 다시 시도해 주세요.", "다른 출처를 찾아 드릴까요?"),
}

DECLINED = [
    (None, f"I was unable to open {URL}."),
    (None, "I'm sorry, but I can't find the answer to this question."),
    ("login_required", f"I couldn't read {URL} because the page requires you to sign in."),
    (
        "login_required",
        f"{URL} asks for a login, so I have no access to the report. Please provide credentials.",
    ),
    ("forbidden", f"I could not retrieve {URL}: the server answered 403 Forbidden."),
    ("not_found", f"The page {URL} does not exist (HTTP 404)."),
    ("gone", f"I can't give the text of {URL}. The document has been permanently removed (410 Gone)."),
    ("legal_restriction", f"I cannot show {URL}; it is unavailable for legal reasons (451)."),
    (
        "challenge",
        f"I was not able to read {URL}. The site shows a CAPTCHA and asks to verify you are human.",
    ),
    ("policy_denied", f"I did not fetch {URL} because robots.txt disallows it. I have no answer."),
    ("no_result", "My search returned no results. I could not find any page about this."),
    ("unsupported_media", f"I could not read {URL}: the file is a scanned PDF with no extractable text."),
    ("session_expired", f"I can't open {URL}, the session has expired. You will have to log in again."),
    (
        None,
        "Unfortunately, I was unable to access the page.\n\nYou could try:\n- Check the URL\n- Try again later",
    ),
    (None, f"Ich konnte die Seite {URL} leider nicht abrufen."),
    ("login_required", f"Leider kann ich {URL} nicht öffnen, weil eine Anmeldung nötig ist."),
    ("not_found", f"Die Seite {URL} wurde nicht gefunden (404). Bitte prüfen Sie die Adresse."),
    ("gone", "Ich habe leider keine Antwort: Das Dokument wurde entfernt."),
    (None, f"Je n'ai pas pu accéder à la page {URL}."),
    ("forbidden", f"Désolé, impossible d'ouvrir {URL} : accès refusé par le serveur."),
    ("not_found", "Malheureusement, la page est introuvable. Je ne peux pas répondre."),
    (None, f"Lo siento, no pude acceder a la página {URL}."),
    ("login_required", "No puedo leer la página: es necesario iniciar sesión."),
    ("no_result", "La búsqueda no encontró ningún resultado. No he podido responder."),
    (None, f"Infelizmente, não consegui abrir {URL}."),
    ("forbidden", "Não foi possível ler a página: acesso negado."),
    (None, f"Purtroppo non sono riuscito ad aprire la pagina {URL}."),
    ("login_required", "Non posso leggere il documento: è necessario effettuare il login."),
    (None, f"抱歉，我無法開啟 {URL}。"),
    ("login_required", "無法讀取此頁面，因為需要登入。"),
    ("not_found", "找不到答案。網頁不存在（404）。"),
    (None, f"抱歉，我无法访问 {URL}。"),
    ("login_required", "无法读取该页面，因为需要登录。"),
    ("no_result", "没有找到相关结果。请稍后再试，或者请提供其他链接。"),
    (None, f"申し訳ありませんが、{URL} を開くことができませんでした。"),
    ("login_required", "ページを読むことができません。ログインが必要です。"),
    ("gone", "回答できません。記事は削除されています。"),
    (None, f"죄송합니다. {URL} 페이지를 열 수 없습니다."),
    ("login_required", "로그인이 필요하여 내용을 확인할 수 없습니다."),
    ("not_found", "페이지가 존재하지 않습니다. 답을 찾을 수 없습니다."),
]

ANSWERED = [
    "",
    "42",
    "The fee is 40 USD.",
    "I could not open the page, but the fee is 40 USD.",
    "I could not open the page. The CEO is Jane Doe.",
    "Although I could not access the page itself, the release is v3.2.",
    "I was unable to load the first source. According to the second, the tariff rises on 1 October.",
    f"I could not find the date. The version is 3.2 ({URL}).",
    "Users cannot delete their own accounts.",
    "The library does not support Windows.",
    "The API requires authentication with a bearer token and allows 60 requests per minute.",
    "Der Tarif steigt auf 19,90 EUR. Ein Datum konnte ich nicht finden.",
    "Ich konnte die Seite nicht öffnen, aber der Preis beträgt 40 EUR.",
    "Je n'ai pas pu ouvrir la page, mais le tarif est de 40 EUR.",
    "No pude abrir la página, pero la tarifa es de 40 EUR.",
    "Não consegui abrir a página, mas a tarifa é de 40 EUR.",
    "Non sono riuscito ad aprire la pagina, ma la tariffa è di 40 EUR.",
    "我無法開啟網頁，但費用是 40 元。",
    "我无法打开网页，但是费用是 40 元。",
    "ページを開くことができませんでしたが、料金は 40 円です。",
    "페이지를 열 수 없었지만 요금은 40원입니다.",
    "El director es Juan Pérez.",
    "社長は田中さんです。",
]


DECLINED_IN_OTHER_WORDS = [
    (
        "The requested document could not be retrieved. The server at https://x.example/a responded with HTTP"
        " 410 (Gone), which means it has been intentionally removed."
    ),
    (
        "I tried to access the page you mentioned, but it's behind a login wall. Without valid credentials I "
        "can't see the invoice total."
    ),
    "Access denied: the site responds with 403 and I'm not permitted to bypass it.",
    "No answer available: the page requires authentication.",
    "I don't have access to this page. It is protected by a Cloudflare challenge that I will not circumvent.",
    (
        "I looked for reports about the Zorblax merger but found nothing that confirms it. There is no "
        "evidence that such a merger took place."
    ),
    "The file at https://x.example/a is a ZIP archive and not a text document; I cannot extract an answer from it.",
    "I searched for the topic and found no relevant results, so I cannot answer.",
    "Declined: robots.txt forbids fetching https://x.example/private/report.",
    'The page says "Page not found" although it was served with status 200. I cannot give you the title.',
    "Sorry, this content is not available in your region for legal reasons.",
    "My session has expired and I could not reload the account page; please sign in again.",
    "The page at https://x.example/a returns 404 Not Found, so the requested information could not be obtained.",
    (
        "I'm unable to provide the total because viewing it would require logging in as another user, which I"
        " am not authorised to do."
    ),
    "The article is no longer available (410 Gone). I found no replacement.",
    "Not answered. The page asks to complete a captcha.",
    "The target is an image (PNG); its text cannot be read.",
    "I won't submit the delete form because it would destroy data.",
    "Der Server antwortet mit 403 Forbidden, deshalb kann ich den Inhalt nicht lesen.",
    "Die Seite verlangt eine Anmeldung. Ohne Zugangsdaten ist der Inhalt nicht zugänglich.",
    "Zu dieser Frage habe ich keine verlässlichen Informationen gefunden.",
    "La page demande une connexion ; je n'ai pas accès au contenu.",
    "El servidor respondió con 403 y no pude leer el contenido.",
    "A página exige login, por isso não consegui obter a resposta.",
    "La pagina richiede l'accesso, quindi non posso rispondere.",
    "該網頁已被移除，無法取得內容。",
    "此页面返回404错误，我无法提供答案。",
    "ログインしないと閲覧できないため、回答できません。",
    "이 페이지는 삭제되어 내용을 확인할 수 없습니다.",
    "Unable to answer: not found (404).",
    'I could not complete the request: the page is protected by a bot check ("Just a moment...").',
    "The information is not publicly accessible. The site redirects to a sign-in page at https://x.example/login.",
]

ANSWERED_IN_WORDS_LIKE_A_REFUSAL = [
    'The page title is "Login required" and the published date is 3 May 2026.',
    "The article was removed on 3 May 2026 and replaced by https://x.example/b.",
    "The document says that the minister cannot attend the meeting.",
    "The outage lasted four hours; customers could not log in.",
    "The new CEO is Maria Lopez, but I could not verify her start date.",
    "According to the changelog, version 3.2 removed the legacy API.",
    "The council found no evidence of fraud, the report says.",
    "Mercury is the planet closest to the Sun.",
    "The company could not find a buyer and filed for bankruptcy.",
    "The site was blocked in Turkey in 2020.",
    "The museum is closed on Mondays. No results for Sunday hours were listed.",
    "I found the answer: the lake is called Titisee.",
    "Die Firma konnte keinen Käufer finden und meldete Insolvenz an.",
    "Le ministre n'a pas pu assister à la réunion.",
    "El acuerdo no existe desde 2019.",
    "公司無法找到買家。",
    "The replacement page is https://x.example/new.",
]


@pytest.mark.parametrize(("reason", "text"), DECLINED)
def test_a_text_that_gives_nothing_and_says_so_declines(reason: str | None, text: str) -> None:
    result = read(text)
    assert result.status == "declined"
    assert result.claims == ()
    assert result.refusal is not None
    assert result.refusal.reason == reason
    assert result.refusal.url == (URL if URL in text else None)
    assert result.refusal.detail is not None
    assert result.refusal.detail in text


@pytest.mark.parametrize("text", DECLINED_IN_OTHER_WORDS)
def test_other_wordings_of_a_refusal_decline(text: str) -> None:
    assert read(text).status == "declined"


@pytest.mark.parametrize("text", [*ANSWERED, *ANSWERED_IN_WORDS_LIKE_A_REFUSAL])
def test_a_text_that_answers_is_answered_whatever_else_it_says(text: str) -> None:
    result = read(text)
    assert result.status == "answered"
    assert result.refusal is None


def test_the_published_table_knows_ten_languages_and_every_reason() -> None:
    table = dict(refusals.table())
    reasons = table.pop("reasons")
    allowed = codec.schema("result")["$defs"]["refusal"]["properties"]["reason"]["enum"]
    assert set(table) == set(LANGUAGES)
    # That nothing came is said in words that fit any reason: the wire tells it.
    assert set(reasons) == set(allowed) - {None, "unavailable"}
    parts = {"common", "opens", *refusals.KINDS, "tells", "but", "although", "words"}
    assert all(set(row) == parts for row in table.values())


def test_every_pattern_of_the_table_compiles_and_matches_no_empty_text() -> None:
    table = dict(refusals.table())
    found = [pattern for patterns in table.pop("reasons").values() for pattern in patterns]
    for row in table.values():
        for name in ("opens", *refusals.KINDS, "tells", "although"):
            found += refusals.patterns(row, name)
    for pattern in found:
        assert re.compile(pattern).search("") is None, pattern


def named(row: dict[str, str]) -> str:
    return f"{row['language']}-{row['text'][:40]}"


@pytest.mark.parametrize("row", ANSWERS["tune"], ids=named)
def test_each_answer_of_the_tuned_part_has_its_status_and_its_reason(row: dict[str, str]) -> None:
    result = read(row["text"])
    assert result.status == row["status"]
    if result.refusal is not None:
        assert (result.refusal.reason or "none") == row["situation"]


def test_the_held_out_part_is_read_at_least_as_well_as_when_it_was_first_read() -> None:
    right = {"declined": 0, "answered": 0}
    for row in ANSWERS["held_out"]:
        right[row["status"]] += read(row["text"]).status == row["status"]
    assert right["declined"] >= 37
    assert right["answered"] == 39


def test_the_two_parts_share_no_text_and_hold_every_language_both_ways() -> None:
    texts = [row["text"] for part in ANSWERS.values() for row in part]
    assert len(texts) == len(set(texts)) >= 120
    for part in ANSWERS.values():
        assert {(row["language"], row["status"]) for row in part} == {
            (language, status) for language in LANGUAGES for status in ("declined", "answered")
        }


REFUSALS = st.sampled_from([row for row in ANSWERS["tune"] if row["status"] == "declined"])


@given(REFUSALS)
def test_a_fact_behind_a_refusal_makes_it_an_answer(row: dict[str, str]) -> None:
    for fact in (FACTS["en"], FACTS[row["language"]]):
        assert read(f"{row['text']} {fact}").status == "answered"
        assert read(f"{fact} {row['text']}").status == "answered"


@given(REFUSALS, st.data())
def test_a_polite_closing_leaves_a_refusal_a_refusal(row: dict[str, str], data: st.DataObject) -> None:
    closing = data.draw(st.sampled_from(CLOSINGS[row["language"]]))
    assert read(f"{row['text']} {closing}").status == "declined"


@given(
    REFUSALS,
    st.lists(st.sampled_from([".", ",", "。", ";", " ", "\n", "404", "␟", "(", ")", "\x00"]), max_size=6),
)
def test_odd_marks_never_break_the_reading(row: dict[str, str], marks: list[str]) -> None:
    at = len(row["text"]) // 2
    read(row["text"][:at] + "".join(marks) + row["text"][at:])


@given(st.text(st.characters() | st.sampled_from("不無できない없음 "), max_size=200))
def test_any_sentence_is_of_one_of_the_kinds(sentence: str) -> None:
    assert refusals.kind_of(sentence) in (*refusals.KINDS, "states")


def test_no_pattern_backtracks_over_a_long_sentence() -> None:
    """A bound that a slow machine keeps; a pattern that backtracks does not."""
    texts = [
        ("I could not open the page " + letter * 900 + " and its file. ") for letter in string.ascii_lowercase
    ]
    texts += [("the " * 240 + letter) for letter in string.ascii_lowercase]
    refusals.kind_of("warm up")
    started = time.process_time()
    for text in texts:
        refusals.kind_of(text)
    assert (time.process_time() - started) / len(texts) < 0.02
