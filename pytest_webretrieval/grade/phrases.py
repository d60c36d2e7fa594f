"""The words by which pages say what they are, in the languages that the corpora use.

Each table is compiled once to a pattern over folded text. Phrases of scripts with word spaces match whole
words; ``*`` stands for a few letters, ``~`` for up to four words.
"""

from __future__ import annotations

import re

from .text import is_cjk


def _compile(*phrases: str) -> re.Pattern[str]:
    spaced = [_expand(phrase) for phrase in phrases if not is_cjk(phrase[0])]
    glued = [re.escape(phrase) for phrase in phrases if is_cjk(phrase[0])]
    return re.compile("|".join([rf"\b(?:{'|'.join(spaced)})\b", *glued]))


def _expand(phrase: str) -> str:
    return (
        re.escape(phrase)
        .replace(r"\*", r"\w{0,8}")
        .replace(r"\ \~\ ", r"(?:\W+\w+){0,4}\W+")
        .replace("~", "")
    )


GONE = _compile(
    "404", "page not found", "not found", "nothing found", "nothing was found", "no longer here",
    "no longer available", "no longer exist*", "does not exist", "doesn't exist", "do not exist",
    "has been removed", "was removed", "has been deleted", "was deleted", "has been withdrawn",
    "page is gone", "cannot be found", "can't be found", "could not be found", "couldn't find ~ page",
    "can't find ~ page", "cannot find ~ page", "couldn't be found", "nothing here", "page doesn't exist",
    "page is missing", "nicht gefunden", "nicht mehr verfügbar", "existiert nicht", "gibt es nicht mehr",
    "introuvable", "n'existe pas", "n'existe plus", "n'est plus disponible", "pas été trouvée",
    "no encontrad*", "no se encontró", "no existe", "ya no está disponible", "no se ha encontrado",
    "non trovata", "não encontrad*", "找不到", "不存在", "查無", "已移除", "已刪除", "已删除", "已下架",
    "未找到", "見つかりません", "存在しません", "찾을 수 없",
)  # fmt: skip

# What a title or heading says of its own page, and running text of anything.
GONE_AHEAD = _compile(
    "we cannot find", "we can't find", "we could not find", "we couldn't find", "i cannot find", "i can't find",
    "wir finden", "wir konnten ~ nicht finden", "nous ne trouvons pas", "no encontramos", "我們找不到",
)  # fmt: skip

REPLACES = _compile(
    "replaces", "replaced", "supersedes", "superseded", "takes the place of", "took the place of", "ersetzt",
    "remplace", "sustituye", "reemplaza", "sostituisce", "substitui", "取代", "代替", "置き換え",
)  # fmt: skip

CHALLENGE_TITLE = re.compile(
    r"^(?:just a moment|attention required|ddos[- ]guard|checking your browser|one moment|please wait|"
    r"security check|access to this page has been denied|verify(?:ing)? (?:that )?you|robot check|"
    r"are you (?:a )?(?:human|robot)|bot verification|human verification|captcha|"
    r"pardon our interruption|loading\W+please wait|un momento|un instant|einen moment|"
    r"請稍候|安全驗證|人機驗證)"
)
CHALLENGE = _compile(
    "verify you are human", "verify that you are human", "verifying you are human",
    "verify you are not a robot", "verify that you are not a robot", "show that you are not a robot",
    "prove that you are not a robot", "prove you are human", "confirm that you are human",
    "confirm you are human", "i am not a robot", "i'm not a robot", "are you a robot", "not a robot",
    "checking your browser", "checking that a person is asking",
    "checking if the site connection is secure", "complete the captcha", "complete the security check",
    "complete a security check", "enable javascript and cookies to continue",
    "before you are allowed to see this page",
    "review the security of your connection", "unusual traffic", "press and hold", "press & hold",
    "ray id", "solve the captcha", "solve ~ puzzle", "one more step", "bestätigen sie ~ mensch",
    "vérifiez que vous êtes humain", "no eres un robot", "no soy un robot", "驗證您是人類",
    "驗證你是人類", "不是機器人", "不是机器人", "人機驗證", "人机验证", "ロボットではありません",
)  # fmt: skip

LOGIN = _compile(
    "sign in", "signin", "log in", "login", "log on", "sign-in", "log-in", "member access", "anmelden",
    "einloggen", "anmeldung", "se connecter", "connexion", "connectez-vous", "identifiez-vous",
    "iniciar sesión", "inicia sesión", "inicio de sesión", "acceder", "entrar", "accedi", "登入",
    "登录", "登錄", "ログイン", "サインイン", "로그인",
)  # fmt: skip

REGISTER = _compile(
    "register", "registration", "registrieren", "registrierung", "sign up", "signup", "sign-up", "create ~ account",
    "create account", "join", "join now", "enroll", "enrol", "s'inscrire", "inscription", "créer un compte",
    "registrarse", "registrarme", "regístrate", "crear cuenta", "crear una cuenta", "cadastre-se", "cadastro",
    "iscriviti", "registrati", "註冊", "注册", "会員登録", "新規登録", "회원가입",
)  # fmt: skip

PASSWORD = _compile(
    "password", "passcode", "passwort", "kennwort", "mot de passe", "contraseña", "senha", "wachtwoord", "密碼",
    "密码", "パスワード", "비밀번호",
)  # fmt: skip

EXPIRED = _compile(
    "session has expired", "session expired", "session is expired", "session was expired",
    "session has timed out", "session timed out", "session has ended", "session is no longer valid",
    "expired session", "signed out", "logged out", "sitzung ist abgelaufen", "sitzung abgelaufen",
    "session a expiré", "session expirée", "sesión ha caducado", "sesión ha expirado",
    "sesión caducada", "sesión expirada", "工作階段已過期", "連線逾時", "登入已過期", "登入逾時",
    "会话已过期", "登录已过期", "登录超时", "セッションが切れ", "セッションの有効期限",
)  # fmt: skip

POLICY = _compile(
    "automat*", "bot", "bots", "robots", "crawl*", "scrap*", "spider", "spiders", "policy", "policies",
    "terms of use", "terms of service", "nutzungsbedingungen", "richtlinie*", "automatisiert*",
    "politique", "automatisé*", "conditions d'utilisation", "política*", "automatizad*", "自動化",
    "自動", "爬蟲", "爬虫", "機器人", "机器人", "政策", "使用條款", "ポリシー", "利用規約",
)  # fmt: skip
