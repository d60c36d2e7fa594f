"""What is asked for: small tables of cues in several languages turn a query into a Question."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .cues import CJK, cues, words
from .languages import SMALL, language_of

_RUNS = re.compile(rf"{CJK.pattern}+|[^\s]+?(?={CJK.pattern})|[^\s]+")
_WORD = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_QUOTED = re.compile(r"[\"“«「『]([^\"”»」』]{3,120})[\"”»」』]")
_IDENTIFIER = re.compile(
    r"\b(?P<name>[A-Z]{2,}[A-Za-z]*)[ -]?(?:(?:numbered|number|no\.?|#) ?)?(?P<number>\d[\d.]*\d|\d)\b|"
    r"(?<![\w.])(?P<ahead>\d{3,})(?![\w.]\w)[^.?!\d]{1,24}?\b(?P<behind>[A-Z]{2,})\b"
)
_LONG_NUMBER = re.compile(r"(?<![\w.,])\d{3,}(?!\w|[.,]\d)")

# What kind of value is wanted. A query may want several; they are given in this order.
_WANTS = {
    "date": cues(
        r"""date(?:s|d|line)? / when (?:was|is|are|were|did|does|do|will|has|have|exactly) / since when
        (?:know|find out|tell me|say|state|report|since|of|from|until) when / (?:what|which) day
        day (?:was|did|of) / how old / published on
        when is / (?:from|on) which day / (?:made|make|going) public / day,? month / datum / wann
        (?:an|ab) welchem tag / welche[rmn]? tag / quand / fecha / cuándo / qué día / 日期 / 何時 / 何时 / いつ / 何日に
        什麼時候 / 什么时候 / 哪一?天 / 幾號"""
    ),
    "version": cues(
        r"""versions? / release (?:numbers?|notes?) / build number / changelog / firmware / versionsnummer
        (?:current|latest|newest|today'?s|which|what) (?:[\w-]+ )?(?:release|build|firmware) / versión / 版本
        韌體 / 固件 / バージョン / 發行說明 / 发行说明"""
    ),
    "price": cues(
        r"""prices? / costs? / how much / fees? / tariffs? / fares? / dues / preise? / kost(?:et|en)
        gebühr(?:en)? / (?:wie viel|was) (?:zahlt?|zahle|bezahle) / (?:wie )?hoch ist / precios? / cuestan? / tarifas?
        qué (?:vale|precio) / 價格 / 价格 / 售價 / 售价 / 多少錢 / 多少钱 / 費用 / 费用 / 申請費 / 多少\w{0,4}費
        いくらですか / 料金 / 値段"""
    ),
    "title": cues(
        r"""titles? / titled / headline / called / named / entitled
        name of the (?:volume|document|file|report|book|paper|page) / titel / titre / título / 標題 / 标题
        題名 / 題目 / 書名"""
    ),
    "number": cues(
        r"""how (?:many|deep|wide|heavy|long|high|tall|fine|pure) / percent(?:age)? / number of / figure / rate
        count / amount / which (?:default )?port / default port
        (?:what|which)(?: is the)?(?: [a-z]+)? (?:load|weight|depth|width|length|height|speed|capacity)
        wie (?:viele|lange|schwer|tief|breit|lang|hoch|rein|fein) / welche[rmn]? (?:tragkraft|last|tiefe|breite|länge)
        welche[rmn]? (?:höhe|frist|feingehalt|port|anzahl|zahl) / um wie viel / cuánt[oa]s? / pesa
        qué (?:carga|peso|profundidad|anchura|longitud|altura|número|puerto) / 幾 / 百分 / 多少
        何(?:個|番|日前|メートル) / いくつ / 多[深寬長高重] / 在庫数"""
    ),
    "name": cues(
        r"""who / whose / quién(?:es)? / a quién / von wem
        which (?:agency|office|body|paper|newspaper|outlet|publisher|organi[sz]ation|authority) / 誰 / 谁
        哪個(?:機關|單位|機構) / 哪个(?:机关|单位|机构)"""
    ),
}
# What the answer's source must be like, or where it is to be looked for.
_TRAITS = {
    "recent": cues(
        r"""today'?s? / current(?:ly)? / latest / newest / most recent / now / this (?:morning|week)
        just (?:out|released) / at (?:the moment|present) / still / up[- ]to[- ]date / re-?validat\w*
        validat(?:e|ed|ion|ing) / aktuell\w* / heute / jetzt / derzeit / neueste\w*
        hoy / ahora / actual(?:mente)? / 今天 / 今日 / 目前 / 現在 / 现在
        最新 / 當前 / 当前"""
    ),
    "official": cues(
        r"""official(?:ly)? / authoritative / normative / primary / government(?:al)? / genuine / authentic
        offiziell\w* / officiel\w* / oficial\w* / 官方 / 政府 / 權威 / 权威 / 正式"""
    ),
    "several": cues(
        r"""(?:two|three|2|3|both|several|multiple|pair of)(?: [\w,-]+){0,5} (?:source|measurement|report)s?
        (?:two|three|2|3)(?: [\w,-]+){0,2} (?:studies|bodies|parties|organi[sz]ations|institut\w+)
        independent(?:ly)? / unabhängig\w* / independientes?
        corroborat\w+ / cross-?check\w* / second source / 兩個.*來源 / 两个.*来源
        獨立 / 独立"""
    ),
    "original": cues(
        r"""de-?dup\w* / syndicat\w* / duplicat\w* / cop(?:y|ies) / reprint\w* / republish\w*
        original(?:ly)? / origin / first (?:published|printed|appeared|ran|reported)
        (?:published|printed|appeared|ran|reported) (?:[\w' -]+ )?first
        who (?:first )?(?:wrote|broke|reported) / (?:was|were) first to (?:report|print|publish)
        zuerst (?:\w+ )?(?:berichtet\w*|gemeldet|gedruckt)? / als erste[rs]?
        (?:informó|publicó|contó) primero / 轉載 / 转载 / 原始 / 原文 / 出處 / 出处 / 首發"""
    ),
    "replacement": cues(
        r"""replac\w+ / successors? / supersed\w+ / instead
        (?:took|takes|taken) (?:its|over|the) (?:place|from)
        where (?:did|has|is|was) (?:it|this|the) (?:[\w' -]+ )?(?:gone?|moved?) / moved to / took over
        equivalent / new version of (?:this|the|that)
        (?:new|current) (?:page|home|address|location|place) / 取代 / 替代 / 改為 / 新頁 / nachfolge\w*
        ersetz\w*"""
    ),
    "listed": cues(
        r"""(?:all|every|each)(?: [\w'-]+){0,4}? (?:items?|entries|entry|results?|products?|records?|rows?|cards?)
        (?:all|every|each)(?: [\w'-]+){0,3}? (?:names?|titles?|elements?|listings?|things?|ones?)
        all (?:of )?(?:the )?(?:\d+|three|four|five|six|seven|eight|nine|ten|eleven|twelve)
        (?:\d+|four|five|six|seven|eight|nine|ten|twelve) (?:[\w'-]+ )?(?:items|entries|results|products|names)
        (?:whole|entire|complete|full) (?:list|set|feed|catalogue|catalog|collection|series) / infinite(?:ly)?
        (?:list|enumerate|collect|gather|name) (?:all|every|each|everything|them all) / scroll\w* / endless
        what (?:items|entries) / which (?:items|entries) / everything (?:on|in) (?:the|this) (?:list|feed)
        (?:which|what|name|list) (?:the )?(?:\d+|three|four|five|six|seven|eight|nine|ten|eleven|twelve) [a-z]+s
        (?:names?|titles?|list|details) of (?:all|every|each) / alle (?:einträge|artikel|elemente) / 全部
        (?:welche|alle|die) (?:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn) [a-zäöü]+
        (?:qué|cuáles son los|cuáles son las|los|las) (?:dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez) [a-zñ]+s
        所有 / 每一?[個項筆]"""
    ),
    "rendered": cues(
        r"""java ?script / client[- ]side / rendered / dynamic(?:ally)? / delayed / scripts? / api / lazy / lazily
        (?:shown|displayed|drawn|filled in|inserted|appears?|loads?|arrives?) (?:by|after|once|when|late\w*)
        after (?:it|the page|the app|everything) (?:has )?(?:loads?|loaded|starts?|runs?|ran|settles|settled)
        wait(?:ing|s)? / slow(?:ly)? / eventually / asynchronous(?:ly)? / ajax / in the end / finally
        (?:once|when|as soon as|until) (?:it|the|its|all)\b.{0,40} (?:loads?|loaded|arrives?|arrived|ready|there)
        (?:once|when|as soon as|until) (?:it|the|its|all)\b.{0,40} (?:runs?|run|finish\w*|answers?|answered|in)
        動態 / 动态 / 載入後 / 加载后 / 等待"""
    ),
    "consent": cues(
        r"""consent / cookies? / banner / overlay / pop-?up / privacy (?:notice|dialog|prompt|wall) / 同意 / 隱私"""
    ),
    "form": cues(
        r"""forms? / fields? / formular / formulaire / formulario / without (?:sending|submitting|pressing)
        (?:do not|don't|never) (?:send|submit|press|click|confirm) / 表單 / 表单"""
    ),
    "linked": cues(
        r"""linked / attached / attachment / downloadable / enclosed / (?:link(?:s|ed)?|points?) to / pdf
        download / (?:document|file|brochure)(?: [\w-]+){0,3} (?:on|behind|from|offered|here) / 連結
        链接 / 附件 / verlinkt\w*"""
    ),
}

# Words that give an order or hold a sentence together: no search engine needs them.
_ORDERS = words(
    """a about above after again all also an and any anybody anyone are as at be been before being but by can
    cite cited citing could did do does each extract fetch find follow for from full get give had has have
    he her here him his how i i'd i'm identify if in into is it its itself just let list locate look make
    me my need no nor not of off on one only open or our out over page pages please point pull put quote
    read report retrieve return say says search see seek she should show so some state tell than that the
    their them then there there's these they this those through to too track up url us use using want was
    we website were what what's when where which who whom whose why will with would you your answer
    question confirm confirms confirming verify check come came go went gone got hold site online internet
    web works working actual actually real really exist exists existing like know much many every other
    another more most people someone something anything thing things called named"""
)
# Words for the kind of page or value that is wanted: a search engine may use them, a subject they are not.
_MANNER = words(
    """source sources independent independently primary official officially authoritative normative today's
    today todays current currently latest newest nonexistent non-existent permanent canonical redirect
    removed replacement replaced replaces copy copies duplicate duplicates deduplicate syndicated origin
    original originally link linked title titled version date published publication publish publishes
    publisher publishing issued issuing issue issues address name new recent now support supports
    supporting back backs backing separate distinct different several multiple both two three first day
    document number numbered ran carried wrote broke reprint reprints outlet outlets paper newspaper story
    1 2 3 4 corroborate corroborated corroborating corroboration according mutual mutually each"""
)
_STOP = _ORDERS | _MANNER
_ORDERS_CJK = re.compile(
    r"找出|請問|请问|請|请|尋找|寻找|查詢|查询|搜尋|搜索|告訴我|告诉我|我想知道|給我|给我"
)
_MANNER_CJK = re.compile(
    r"哪裡|哪里|哪個|哪个|哪一個|什麼|什么|在哪|可以|知道|官方|來源|来源|網站|网站|的|是|了|嗎|吗|呢|與|与|和|及|或|從|从|由|"
    r"最新|目前|今天|今日|正式|發布|发布|提供|一個|一个|機關|机关|單位|机构|機構|政府"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A query, understood. ``wants`` are kinds of value (``date``, ``version``, ``price``, ``title``,
    ``number``, ``name``); ``traits`` are ``recent``, ``official``, ``several``, ``original``,
    ``replacement``, ``linked``, ``listed`` (all items of a list), ``rendered`` (what scripts show),
    ``consent``, ``form``; ``topic`` are the words of the subject; ``exact`` must stand in any page that
    answers."""

    text: str
    wants: tuple[str, ...] = ()
    traits: frozenset[str] = frozenset()
    topic: tuple[str, ...] = ()
    exact: tuple[str, ...] = ()

    @property
    def after_origin(self) -> bool:
        """Whether the first place of what stands in many is wanted; several sources are more than that."""
        return "original" in self.traits and "several" not in self.traits

    @property
    def search_text(self) -> str:
        """The query without its orders, for a search engine."""
        small = _ORDERS | SMALL.get(self.language, frozenset())
        kept = [word for word in self.text.split() if word.strip(".,;:!?¿¡\"'()").casefold() not in small]
        return _ORDERS_CJK.sub("", " ".join(kept)).strip(" .,;:?!。？！") or self.text

    @property
    def language(self) -> str:
        """The language that the query is written in, as far as it shows."""
        return language_of(self.text)

    @property
    def cjk(self) -> bool:
        """Whether the query is written in Chinese, Japanese or Korean."""
        return bool(CJK.search(self.text))


def understand(query: str) -> Question:
    """The Question in ``query``."""
    return Question(
        text=query,
        wants=tuple(name for name, pattern in _WANTS.items() if pattern.search(query)),
        traits=frozenset(name for name, pattern in _TRAITS.items() if pattern.search(query)),
        topic=topic_of(query),
        exact=_exact(query),
    )


def topic_of(text: str) -> tuple[str, ...]:
    """The words of ``text`` that carry its subject, each once, in the form of ``words_of``."""
    without = _MANNER_CJK.sub(" ", _ORDERS_CJK.sub(" ", text))
    stop = _STOP | SMALL.get(language_of(text), frozenset())
    return tuple(dict.fromkeys(_stem(word) for word in _raw_words(without) if word not in stop))


def words_of(text: str) -> list[str]:
    """Every word of ``text``, folded and freed of endings; overlapping pairs for Chinese, Japanese,
    Korean."""
    return [_stem(word) for word in _raw_words(text)]


def _raw_words(text: str) -> list[str]:
    found: list[str] = []
    for match in _WORD.finditer(text.casefold().replace("’", "'")):
        word = match[0].removesuffix("'s")
        if not CJK.search(word):
            found.append(word)
            continue
        for run in _RUNS.findall(word):
            pairs = [run[at : at + 2] for at in range(max(1, len(run) - 1))]
            found.extend(pairs if CJK.search(run) else [run])
    return found


def _stem(word: str) -> str:
    """Light: enough that ``warnings`` meets ``warning`` and ``caching`` meets ``cache``."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if len(word) > 6 and word.endswith("ing"):
        word = word[:-3]
    elif len(word) > 5 and word.endswith("ed"):
        word = word[:-2]
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def _exact(query: str) -> tuple[str, ...]:
    """Quoted phrases, identifiers such as ``ISO 8601`` (an acronym and a number near each other), and long
    numbers that are no years."""
    found = [match[1].strip() for match in _QUOTED.finditer(query)]
    rest = _QUOTED.sub(" ", query)
    for match in _IDENTIFIER.finditer(rest):
        found.append(f"{match['name'] or match['behind']} {match['number'] or match['ahead']}")
    rest = _IDENTIFIER.sub(" ", rest)
    found += [number for number in _LONG_NUMBER.findall(rest) if not 1900 <= int(number) <= 2100]
    return tuple(dict.fromkeys(found))


def overlap(question: Question, text: str) -> float:
    """The share of the question's topic words that stand in ``text``; 0 for a question without a topic."""
    if not question.topic:
        return 0.0
    held = set(words_of(text))
    return sum(word in held for word in question.topic) / len(question.topic)
