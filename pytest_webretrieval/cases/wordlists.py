"""Words that drawn names and titles are made of. Nothing here names a trap, and no real body is meant."""

from __future__ import annotations


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split())


STARTS = _split(
    """
    Alder Amber Ash Bar Beck Birch Bran Brent Brook Cald Carn Cedar Chal Clay Cob Cran Dal Dan Dern Dun
    Elder Elm Fal Fen Fern Garn Gil Glen Grim Hal Hart Hazel Heath Helm Hol Ings Kel Ken Kirk Lang Lark
    Lin Lorn Mal Mar Mel Mor Nor Oak Orm Pen Quill Rad Raven Rook Row Sal Sel Stan Swin Tarn Thorn Tor
    Ul Wald Wen West Whit Wil Wyn Yar
    """
)
ENDS = _split(
    """
    beck berg bourne bridge brook bury by combe cote dale den don ford gate grove ham haven hay holm
    hurst ing keld ley low mark mere mond mont moor mouth ness pool port ridge rook shaw side stead stow
    thorpe ton wade wald wall ward water way well wick wood worth
    """
)
FIRST_NAMES = _split(
    """
    Ada Agnes Anton Astrid Beatrix Bruno Carla Casimir Clara Dagmar Daniel Edith Elena Emil Esther Felix
    Frida Georg Greta Hanna Harald Helena Hugo Ida Ines Ingrid Irene Ivan Jakob Johanna Jonas Julia
    Karin Konrad Laura Leo Lena Lukas Magda Marek Marta Mira Nadia Nils Nora Olga Oskar Paula Pavel
    Petra Rafael Rosa Ruth Selma Sofia Stefan Teresa Tobias Ulla Vera Viktor Wanda Yusuf Zora
    """
)
LAST_NAMES = _split(
    """
    Abelard Almquist Andrade Bakker Barros Bergman Bianchi Brandt Castell Corvin Dahl Delacroix Duarte
    Ekman Engel Falk Ferrante Fonseca Garnier Gruber Halvorsen Hartmann Holub Iversen Jansen Kaplan
    Keller Kovac Lindqvist Lorenz Lund Marchetti Mendes Molnar Moreau Nagy Nordahl Novak Okafor Olsen
    Pacheco Palmer Pereira Quist Ramos Reyes Rossi Sandberg Schuster Silva Sorensen Tanaka Teller
    Thorsen Urban Vargas Vogel Weiss Winther Zeller Zielinski
    """
)
TITLE_WORDS = _split(
    """
    Anchor Apple Arch Autumn Basin Beacon Bell Birch Boat Bridge Canal Candle Cedar Clover Cloud Coast
    Copper Corner Crane Creek Dawn Delta Dune Ember Estuary Evening Falcon Feather Fern Field Forest
    Fountain Garden Glacier Glass Granite Gravel Harvest Hedge Heron Hill Horizon Island Ivory Juniper
    Kettle Ladder Lake Lantern Linen Maple Marble Market Meadow Mill Morning Mosaic Mountain Needle
    Orchard Otter Paper Pebble Pepper Pine Plain Plough Pond Prairie Quarry Railway Reed River Saddle
    Saffron Salt Sand Season Shore Silver Slate Sparrow Spring Station Stone Summer Thistle Timber Tower
    Valley Velvet Village Violin Wagon Walnut Water Wheel Willow Window Winter Wool
    """
)
GERMAN_WORDS = _split(
    """
    Abend Acker Ahorn Allee Anker Apfel Bach Berg Birke Boot Brücke Brunnen Dach Düne Ebene Eiche Erde
    Feder Feld Fluss Garten Gebirge Glas Gras Hafen Hecke Herbst Himmel Hof Holz Hügel Insel Kanal
    Kiesel Klee Kupfer Küste Laterne Leinen Linde Marmor Markt Meer Morgen Mühle Nebel Ofen Papier
    Quelle Rad Regen Sand Schiefer Silber Sommer Stein Strand Tal Teich Turm Ufer Wald Wasser Weide
    Wiese Winter Wolke Wolle Zeder
    """
)
HAN_WORDS = _split(
    """
    海岸 山谷 河流 港口 燈塔 森林 春季 秋季 草原 湖畔 石橋 竹林 茶園 稻田 漁船 花園 銅鐘 瓷器 風箏 雨傘
    車站 鐵路 島嶼 溪水 松樹 梅花 星空 晨霧 夕陽 木船 書院 畫廊 市集 紙鶴 琴聲 陶土 絲綢 果樹 鹽田 雲海
    """
)
HAN_SURNAMES = "陳林黃張李王吳劉蔡楊許鄭謝郭洪曾廖賴周葉"
HAN_GIVEN = "安柏成丹恩芳國涵慧佳嘉靜君凱蘭麗明寧佩琪仁若詩書思婷文曉欣雅怡玉元芸澤真志竹"
HAN_PLACES = "青白石溪松竹梅蘭北東南西新大長平安永福清泉雲月光山林"
HAN_PLACE_ENDS = "鎮縣市村鄉區港"
HAN_BODY_ENDS = _split(
    """
    研究所 委員會 基金會 出版社 管理局 氣象局 博物館 圖書館 大學 公司 協會 學會 銀行 日報 署 局 院 館 社
    會 部 廳
    """
)
PLACE_PREFIXES = (
    "North",
    "South",
    "East",
    "West",
    "Upper",
    "Lower",
    "Great",
    "Little",
    "Old",
    "New",
    "Port",
    "Saint",
)
FAMILIES = (
    _split(
        "Observer Herald Gazette Courier Chronicle Tribune Sentinel Mercury Examiner Telegraph Times Post"
    ),
    _split("Authority Agency Council Commission Board Office Inspectorate Bureau"),
    _split("Institute Laboratory Academy College University School Centre"),
    _split(
        """
    Energy Power Water Rail Foods Textiles Motors Shipping Timber Optics Instruments Robotics Media
    Travel
    """
    ),
    ["Museum", "Gallery", "Library", "Archive", "Theatre"],
    _split("Society Association Foundation Trust Union League Guild"),
)
LEGAL_FORMS = frozenset(
    _split(
        """
    AB AG AS BV Co Co. Corp Corp. Company GmbH Group Inc Inc. KG LLC LLP Ltd Ltd. Limited NV Oy PLC SA
    SE SpA
    """
    )
)
SMALL_WORDS = frozenset(
    _split(
        """
    a an and as at by for from in into nor of off on or over per the to under up via with am an auf aus
    bei das dem den der des die ein eine für im mit ohne über und vom von zu zum zur de del di du el en
    et la las le les los y e o da do dos &
    """
    )
)
GERMAN_SIGNS = frozenset(_split("der die das und des dem den im vom zum zur für über ein eine"))
HOST_WORDS = _split(
    """
    acre arcade atlas avenue barn bay bazaar bell berth bloom boulevard bower brass brick canyon cape
    cargo carbon causeway cavern chapel circle citadel cliff close clover coach cobalt collective colony
    comet common compass corner cottage court cove crater crescent croft crown dairy dawn delta depot
    dock dome drift drum dune eddy edge ember emporium estate fable farm feather field finch fjord flint
    forge fountain foundry gable gallery garden garnet glade glass globe gorge granary granite grid gulf
    hall hangar harbour harvest hearth heath hedge heron hill hive hollow horizon house hub inlet island
    ivy jetty junction keel kiln knoll labs ladder lagoon lake lane lantern larch lattice lawn ledge
    lens linden lodge loft loom lumen lyric maple marina market marsh mast meadow mesa mill mint moss
    north oak oasis onyx opal orbit orchard otter outpost paddock palm park parlour pass path pavilion
    peak pearl pier pine plain plateau plaza point pond poplar prairie prism quarry quarter quay quill
    raft range rapids reach reef ridge rise river road rock row saddle sail sand seed shelf shore sierra
    silo slate slope smith sound south spark spire spring square stable star station steam steel stone
    strand studio summit sun tack tern terrace thicket tide timber tower trail tram vale valley vault
    vine vista wagon walk ward weave well wharf wheel willow wind works yard zenith
    """
)
HOST_MIDDLES = ("", "", "", "", "er", "en", "in", "al", "or", "an", "el", "on", "a", "o", "i", "u")
SUBDOMAINS = ("", "", "", "www.", "www.", "www.", "news.", "web.")

# No host or path may say what a page is for.
TRAP_WORDS = _split(
    """
    cache stale fresh copy mirror fake trap bad evil scam spam poison inject attack hack login auth pass
    session expired forbid deny denied block challenge captcha bot robot soft error fault fail dead gone
    reset retry delay slow redirect loop test fixture mock dummy sample seed draw origin official true
    false real vendor 404
    """
)
