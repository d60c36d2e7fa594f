"""How scales, currencies and units are written beside numbers, in several languages."""

from __future__ import annotations

SCALES: dict[str, int] = {
    **dict.fromkeys(("k", "thousand", "tausend", "tsd", "mille", "mil", "千"), 10**3),
    **dict.fromkeys(("万", "萬", "만"), 10**4),
    **dict.fromkeys(
        (
            "m",
            "mn",
            "mm",
            "mln",
            "mio",
            "million",
            "millions",
            "millionen",
            "millón",
            "millon",
            "millones",
            "百万",
            "百萬",
        ),
        10**6,
    ),
    **dict.fromkeys(("億", "亿", "억"), 10**8),
    **dict.fromkeys(
        (
            "b",
            "bn",
            "bln",
            "billion",
            "billions",
            "milliarde",
            "milliarden",
            "mrd",
            "milliard",
            "milliards",
            "十億",
            "十亿",
        ),
        10**9,
    ),
    **dict.fromkeys(
        ("t", "tn", "trn", "trillion", "trillions", "billionen", "billón", "billones", "兆"), 10**12
    ),
}
# Letters that name a unit as well as a scale; they scale only where a currency stands beside the number.
SHORT_SCALES = frozenset(["k", "m", "b", "t", "mm"])

UNITS: dict[str, str] = {
    **dict.fromkeys(
        ("$", "us$", "usd", "dollar", "dollars", "us dollar", "us dollars", "美元", "美金", "ドル"), "usd"
    ),
    **dict.fromkeys(("€", "eur", "euro", "euros", "歐元", "欧元", "ユーロ"), "eur"),
    **dict.fromkeys(("£", "gbp", "pound", "pounds", "英鎊", "英镑"), "gbp"),
    **dict.fromkeys(("jpy", "yen", "円", "日圓", "日元"), "jpy"),
    **dict.fromkeys(("cny", "rmb", "yuan", "人民幣", "人民币"), "cny"),
    **dict.fromkeys(("nt$", "twd", "ntd", "新台幣", "新臺幣"), "twd"),
    **dict.fromkeys(("chf", "fr.", "franken", "francs"), "chf"),
    **dict.fromkeys(("%", "percent", "per cent", "prozent", "pour cent", "por ciento", "パーセント"), "%"),
    **dict.fromkeys(("bps", "bp", "basis points", "basis point", "basispunkte", "基點", "基点"), "bps"),
    **dict.fromkeys(("percentage points", "percentage point", "pp", "百分點", "百分点"), "pp"),
    **dict.fromkeys(("km", "kilometre", "kilometres", "kilometer", "kilometers", "公里"), "km"),
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters", "公尺", "米"), "m"),
    **dict.fromkeys(("mm", "millimetre", "millimetres", "millimeter", "millimeters", "毫米"), "mm"),
    **dict.fromkeys(("cm", "centimetre", "centimetres", "公分"), "cm"),
    **dict.fromkeys(("kg", "kilogram", "kilograms", "kilogramm", "公斤"), "kg"),
    **dict.fromkeys(("t", "tonne", "tonnes", "tonnen", "公噸"), "t"),
    **dict.fromkeys(("s", "sec", "second", "seconds", "sekunden", "秒"), "s"),
    **dict.fromkeys(("ms", "milliseconds"), "ms"),
    **dict.fromkeys(("min", "minute", "minutes", "minuten", "分鐘", "分钟"), "min"),
    **dict.fromkeys(("h", "hour", "hours", "stunden", "heures", "horas", "小時", "小时", "時間"), "h"),
    **dict.fromkeys(("day", "days", "tage", "jours", "días", "天", "日間"), "d"),
    **dict.fromkeys(("°c", "celsius"), "°c"),
    **dict.fromkeys(("kwh",), "kwh"),
    **dict.fromkeys(("mb", "megabytes"), "mb"),
    **dict.fromkeys(("gb", "gigabytes"), "gb"),
}
CURRENCIES = frozenset(("usd", "eur", "gbp", "jpy", "cny", "twd", "chf"))
SCALED_UNITS = frozenset(("%", "bps", "pp"))
# Units that a reader takes for the same word, in short and in full.
SPELLED = {
    "ft": "feet", "foot": "feet", "yr": "year", "yrs": "years", "hr": "hour", "hrs": "hours", "min": "minute",
    "mins": "minutes", "kg": "kilograms", "km": "kilometers", "kilometres": "kilometers", "metres": "meters",
}  # fmt: skip
