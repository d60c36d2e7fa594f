"""Words of several languages for the things that pages put labels on: an opening, a deposit, a depth."""

from __future__ import annotations

from .cues import cues

_CONCEPTS = {
    "begin": cues(
        r"""starts? / begins? / beginning / come\w* into force / in force / takes effect / effective / valid from
        (?:from|as of) which (?:day|date) / ab wann / ab welchem / beginn\w* / startet / gilt(?: ab)? / in kraft
        実施 / 開始 / 實施 / 生效 / 起用 / 施行 / empieza\w* / comienza\w* / inicio / entra en vigor / a partir de"""
    ),
    "end": cues(
        r"""last day / ends? / ended / expires? / expiry / until / closes? / endet / letzter tag / läuft ab / bis zum
        截止 / 結束 / 终了 / 終了 / 期限 / termina / vence / último día / caduca"""
    ),
    "open": cues(
        r"""(?:re)?open(?:s|ed|ing)?(?: again)? / öffn\w+ / eröffn\w+ / geöffnet / befahrbar / 開放 / 開館 / 重開
        開き / 開く / 再開 / abre\w* / apertura / abiert[oa] / reabre"""
    ),
    "renew": cues(r"renew\w* / verlänger\w* / 續約 / 續訂 / 更新 / renueva / renovación"),
    "day": cues(
        r"""day (?:ticket|pass|visit|rate) / (?:for )?(?:a|one|the) day / tages\w+ / (?:einen|ein|pro) tag
        一日 / 單日 / 日票 / 日券 / (?:un|por) día / diari[oa]"""
    ),
    "season": cues(r"season(?:al)?(?: \w+)? / saison\w* / jahreskarte / 季票 / シーズン / temporada / abono"),
    "price": cues(
        r"""prices? / costs? / fees? / charges? / how much is / preis\w* / kost\w+ / gebühr\w* / 售價 / 价格 / 價格 / 費
        费 / 多少錢 / 多少钱 / いくら / 料金 / 値段 / precio / cuest\w+ / tarifa / vale"""
    ),
    "entry": cues(
        r"""permits? / entry / entrance / admission / eintritt\w* / einlass / 入山 / 入場 / 門票 / 許可 / entrada
        permiso"""
    ),
    "deposit": cues(r"deposits? / kaution / pfand / 保證金 / 押金 / 保証金 / 敷金 / fianza / depósito"),
    "delivery": cues(
        r"shipping / deliver(?:y|ies|ed) / postage / versand\w* / liefer\w+ / 運費 / 送料 / envío"
    ),
    "load": cues(
        r"""loads? / carr(?:y|ies) / capacity / lifts? / traglast / tragkraft / nutzlast / belast\w+ / 荷重 / 載重
        耐荷重 / carga\w* / admite / soporta"""
    ),
    "weight": cues(
        r"weigh(?:s|t|ts)? / heavy / gewicht / schwer / wiegt / 重量 / 重さ / 多重 / pes[oa] / pesan"
    ),
    "depth": cues(r"deep / depths? / tief\w* / 水深 / 深さ / 深度 / 多深 / profund\w+"),
    "width": cues(r"wide / widths? / breit\w* / 寬度 / 多寬 / 幅 / anch[oa] / anchura"),
    "length": cues(r"long / lengths? / länge / lang / 長度 / 長さ / 多長 / larg[oa] / longitud"),
    "height": cues(r"high / tall / heights? / höhe / hoch / 高度 / 高さ / 多高 / alt[oa] / altura"),
    "purity": cues(r"fine(?:ness)? / pure / purity / rein(?:heit)? / fein\w* / 純度 / 成色 / pureza / ley"),
    "leave": cues(
        r"""notice / leav(?:e|ing) / cancel\w* / resign\w* / kündig\w+ / austritt\w* / verlassen / 退会 / 解約 / 退會
        取消 / preaviso / baja / cancela\w*"""
    ),
    "loan": cues(r"loans? / borrow\w* / lend\w* / leih\w+ / ausleih\w+ / 貸出 / 借用 / préstamo"),
    "stock": cues(r"(?:in )?stock / (?:auf )?lager / vorrat / bestand / 在庫 / 庫存 / 存貨 / existencias"),
    "rise": cues(
        r"""rise / rose / risen / increas\w+ / grew / growth / zunahme / zugenommen / anstieg / gestiegen / 增加 / 増加
        aument\w+ / subid[ao]"""
    ),
    "port": cues(r"ports? / puerto / ポート / 連接埠 / 埠號 / 端口"),
    "default": cues(
        r"default / standardmäßig / voreingestellt\w* / 既定 / 預設 / 默认 / por defecto / predeterminad[oa]"
    ),
    "past": cues(
        r"""(?:last|previous|former) \w+ / previous(?:ly)? / formerly / old / (?:a year|a week) (?:ago|before)
        vorjahr\w* / bisher\w* / alte[rsn]? / letzte[sn] jahr / früher\w* / 去年 / 先前 / 舊 / 昨年 / 以前
        anterior(?:es)? / (?:el )?año pasado / antes"""
    ),
}
# What is meant only by whoever says so too.
ASIDE = frozenset({"past", "delivery", "deposit"})


def concepts_of(text: str) -> frozenset[str]:
    """The names of what ``text`` speaks of, whatever its language."""
    return frozenset(name for name, pattern in _CONCEPTS.items() if pattern.search(text))
