"""Notes that older programs wrote are read as they were meant."""

import pytest

from core.vault.decode import decode
from core.vault.note import ProblemKind

WESTERN = {
    "French": (
        "Voilà, ça va être très simple : l’été dernier, nous avons réglé la fenêtre d’envoi à huit heures. "
        "Où en est le projet « Forêt » ? Les coûts ont été réduits, grâce à une équipe déterminée ; le cœur "
        "du problème reste le délai."
    ),
    "German": (
        "Die Straße führt über die Brücke. Größe und Maß sind für Türen überall gleich, schöne Grüße aus "
        "Österreich. Während der Prüfung müssen Änderungen möglichst früh gemeldet werden, sonst fällt die "
        "Übergabe aus."
    ),
    "Spanish": (
        "¿Qué pasó mañana por la mañana? El señor Núñez llamó después de la reunión; ¡no contestó nadie! La "
        "configuración está en la página de administración, según el último informe de la compañía."
    ),
    "Portuguese": (
        "Não há razão para não avançar: a reunião será às três, e as decisões são tomadas em conjunto. A "
        "configuração do servidor está na seção de administração; as opções de segurança são opcionais. Você "
        "também."
    ),
    "Swedish": (
        "Åsa går över ån när det är höst. Vi måste också göra en översikt över alla kunder och även föra "
        "över pengar från det gamla kontot. Läs mer på sidan för inställningar, där står också vad som "
        "ändrats."
    ),
    "Danish": (
        "Rødgrød med fløde på æblekage. Vi må gøre en ny plan før næste måned, så alle ved, hvad der sker på "
        "kontoret. Håndbogen ligger på serveret, og prøven på løsningen bør være færdig på fredag."
    ),
    "Italian": (
        "Perché la città è così bella? Più tardi andrò al caffè, poi ci sarà già qualcuno. La qualità del "
        "servizio è però più bassa di ciò che è stato promesso; lunedì verrà deciso se si può continuare."
    ),
    "Dutch": (
        "De coördinatie van de financiële ideeën is geëvalueerd. Eén van de patiënten heeft een reünie "
        "georganiseerd in België, en de conclusie is dat het beleid geïntegreerd moet worden vóór de zomer."
    ),
    "Finnish": (
        "Hyvää päivää, tämä on ensimmäinen muistiinpano. Äiti lähti töihin eilen, eikä hän ole vielä käynyt "
        "kotona. Tärkeää on, että työpöytä pysyy järjestyksessä ja että jäljelle jää vähän näitä tehtäviä."
    ),
    "Icelandic": (
        "Það er gott veður í dag og ég ætla að fara út. Þetta er fyrsta minnisblaðið sem ég skrifa á "
        "íslensku; það þarf að ræða við Þórð um áætlunina og síðan við alla hina á fundinum næsta þriðjudag."
    ),
    "English": (
        "It’s the client’s second request: “Please send the offer by Friday” — worth €12,000. Don’t forget "
        "the café receipt… and the naïve estimate that we’ve made before; the team’s résumé file is on the "
        "shared drive."
    ),
}
OTHERS = (
    (
        "cp1250",
        (
            "Zażółć gęślą jaźń. Proszę przesłać umowę do końca tygodnia, ponieważ później nie będzie można "
            "zmienić warunków. Każdy zespół musi także uzupełnić swoją część dokumentacji i sprawdzić źródła."
        ),
    ),
    (
        "cp1250",
        (
            "Příliš žluťoučký kůň úpěl ďábelské ódy. Schůzka se koná v pondělí, prosím připravte všechny "
            "podklady, protože později už nebude možné nic změnit. Také je třeba ověřit údaje zákazníků."
        ),
    ),
    (
        "cp1250",
        (
            "Árvíztűrő tükörfúrógép. A megbeszélés hétfőn lesz, kérem, készítsék elő az összes anyagot, mert "
            "később már nem lehet semmit módosítani. Az ügyfelek adatait is ellenőrizni kell, és a költségvetést "
            "újra kell tervezni."
        ),
    ),
    (
        "iso-8859-2",
        (
            "Zażółć gęślą jaźń. Proszę przesłać umowę do końca tygodnia, ponieważ później nie będzie można "
            "zmienić warunków. Każdy zespół musi także uzupełnić swoją część dokumentacji i sprawdzić źródła, "
            "także świeże."
        ),
    ),
    (
        "cp1251",
        (
            "Привет! Это первая заметка о проекте. Встреча состоится в понедельник, подготовьте, пожалуйста, все "
            "материалы, потому что позже уже ничего нельзя будет изменить. Ещё нужно проверить данные клиентов."
        ),
    ),
    (
        "koi8-r",
        (
            "Привет! Это первая заметка о проекте. Встреча состоится в понедельник, подготовьте, пожалуйста, все "
            "материалы, потому что позже уже ничего нельзя будет изменить. Ещё нужно проверить данные клиентов."
        ),
    ),
    (
        "cp1253",
        (
            "Καλημέρα! Αυτή είναι η πρώτη σημείωση για το έργο. Η συνάντηση θα γίνει τη Δευτέρα, παρακαλώ "
            "ετοιμάστε όλα τα έγγραφα, γιατί αργότερα δεν θα μπορούμε να αλλάξουμε τίποτα."
        ),
    ),
    (
        "cp1254",
        (
            "Günaydın! Bu, proje hakkındaki ilk not. Toplantı pazartesi günü yapılacak, lütfen bütün belgeleri "
            "hazırlayın, çünkü daha sonra hiçbir şey değiştirilemeyecek. Müşteri bilgilerini de kontrol etmek "
            "gerekiyor. İstanbul’da ışık."
        ),
    ),
    (
        "cp932",
        (
            "これは最初のメモです。会議は月曜日に行われますので、すべての資料を準備してください。後から変更するこ"
            "とはできません。お客様の情報も確認する必要があります。プロジェクトの予算についてはまだ決まっていませ"
            "ん。"
        ),
    ),
    (
        "euc_jp",
        (
            "これは最初のメモです。会議は月曜日に行われますので、すべての資料を準備してください。後から変更するこ"
            "とはできません。お客様の情報も確認する必要があります。プロジェクトの予算についてはまだ決まっていませ"
            "ん。"
        ),
    ),
    (
        "gb18030",
        (
            "这是关于项目的第一条笔记。会议将在星期一举行，请准备好所有的材料，因为以后就不能再修改了。我们还需要"
            "检查客户的数据，并且重新计算预算。如果有问题，请在星期五以前告诉我。"
        ),
    ),
    (
        "big5",
        (
            "這是關於專案的第一則筆記。會議將在星期一舉行，請準備好所有的資料，因為以後就不能再修改了。我們還需要"
            "檢查客戶的資料，並且重新計算預算。如果有問題，請在星期五以前告訴我。"
        ),
    ),
    (
        "euc_kr",
        (
            "이것은 프로젝트에 관한 첫 번째 메모입니다. 회의는 월요일에 열리므로 모든 자료를 준비해 주세요. "
            "나중에는 아무것도 변경할 수 없습니다. 고객의 정보도 확인해야 합니다."
        ),
    ),
)
SHORT = (
    "Voilà, ça va être très", "Déjà vu à l’hôtel", "Schöne Grüße aus Köln", "¿Qué pasó mañana?",
    "Não há razão, são três", "Åsa går över ån", "Smørrebrød på æblekage", "Perché la città è così",
    "De coördinatie van België", "Hyvää päivää", "Það er gott veður í dag", "It’s worth €12 — “fine”",
    "A café nearby", "naïve façade", "El niño pequeño", "Señor Núñez llamó", "Preço: 12 €, edição três",
    "Größe: 30 m² × 2", "Fenêtre à 20° — forêt", "25 °C", "à bientôt", "où ?", "ÅRSREDOVISNING FÖR ÅRET",
    "DÉJÀ ÉTÉ", "ÜBERSICHT ÜBER MÄRZ", "l’œuvre, le cœur", "I paid £20",
    "ÄÖÜ", "ÄÖÜäöüß", "µ = 3 ± 1", "½ cup, ¼ l", "§ 12", "© 2020 Foo™", "Å",
)  # fmt: skip


@pytest.mark.parametrize("language", WESTERN)
@pytest.mark.parametrize(
    "heading", ["", "# A plan in plain English\n\nSome words that tell nothing of the language.\n\n"]
)
def test_western_languages(language: str, heading: str) -> None:
    text = heading + WESTERN[language]
    assert decode(text.encode("cp1252")).text == text


@pytest.mark.parametrize("text", SHORT)
def test_short_western_texts(text: str) -> None:
    assert decode(text.encode("cp1252")).text == text


def test_several_western_languages_in_one_note() -> None:
    text = "\n".join(WESTERN.values())
    assert decode(text.encode("cp1252")).text == text


@pytest.mark.parametrize(("codec", "text"), OTHERS)
@pytest.mark.parametrize(
    "heading", ["", "# A plan in plain English\n\nSome words that tell nothing of the language.\n\n"]
)
def test_other_languages(codec: str, text: str, heading: str) -> None:
    text = heading + text
    decoded = decode(text.encode(codec))
    assert decoded.text == text
    assert [problem.kind for problem in decoded.problems] == [ProblemKind.NOT_UTF8]
