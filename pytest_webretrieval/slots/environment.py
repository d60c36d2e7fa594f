"""The environment of a system in a slot: no proxies, our trust, harmless keys."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from .furniture import VARIABLES
from .telemetry import led_to_the_world

_PROXIES = frozenset({"http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy"})
# What leads to something outside the slot, where clients would only wait for it, and what is ours alone.
_NOT_FOR_IT = frozenset(
    {
        *VARIABLES,
        "DISPLAY",
        "GNOME_KEYRING_CONTROL",
        "PYTEST_CURRENT_TEST",
        "SSH_AGENT_PID",
        "SSL_CERT_DIR",
        "STY",
        "WEBRETRIEVAL_ALLOWED",
        "WEBRETRIEVAL_DOOR",
    }
)
# SDKs that find no key ask the machine that they believe to run on; that would be a try to leave.
_NO_CLOUD = {"AWS_EC2_METADATA_DISABLED": "true", "NO_GCE_CHECK": "true"}

# Variables by which clients are told where the roots are.
TRUST_VARIABLES = (
    "SSL_CERT_FILE",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
    "GIT_SSL_CAINFO",
    "PIP_CERT",
    "AWS_CA_BUNDLE",
    "CARGO_HTTP_CAINFO",
    "DENO_CERT",
    "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH",
    "NIX_SSL_CERT_FILE",
)

# Keys that SDKs look for before they start, with values of the shape that they check.
KEYS: Mapping[str, str] = {
    "ANTHROPIC_API_KEY": "sk-ant-not-a-secret",
    "AZURE_OPENAI_API_KEY": "not-a-secret",
    "BING_SEARCH_V7_SUBSCRIPTION_KEY": "not-a-secret",
    "BRAVE_API_KEY": "not-a-secret",
    "BRAVE_SEARCH_API_KEY": "not-a-secret",
    "BRAVE_SEARCH_PYTHON_CLIENT_API_KEY": "not-a-secret",
    "BROWSERBASE_API_KEY": "not-a-secret",
    "COHERE_API_KEY": "not-a-secret",
    "DEEPSEEK_API_KEY": "sk-not-a-secret",
    "EXA_API_KEY": "not-a-secret",
    "FIRECRAWL_API_KEY": "fc-not-a-secret",
    "GEMINI_API_KEY": "not-a-secret",
    "GOOGLE_API_KEY": "not-a-secret",
    "GROQ_API_KEY": "gsk_not-a-secret",
    "JINA_API_KEY": "jina_not-a-secret",
    "KEENABLE_API_KEY": "not-a-secret",
    "LINKUP_API_KEY": "not-a-secret",
    "MISTRAL_API_KEY": "not-a-secret",
    "OPENAI_API_KEY": "sk-not-a-secret",
    "OPENROUTER_API_KEY": "sk-or-not-a-secret",
    "PARALLEL_AI_API_KEY": "not-a-secret",
    "PARALLEL_API_KEY": "not-a-secret",
    "PERPLEXITY_API_KEY": "pplx-not-a-secret",
    "PPLX_API_KEY": "pplx-not-a-secret",
    "SERPAPI_API_KEY": "not-a-secret",
    "SERPER_API_KEY": "not-a-secret",
    "TAVILY_API_KEY": "tvly-not-a-secret",
    "TOGETHER_API_KEY": "not-a-secret",
    "XAI_API_KEY": "xai-not-a-secret",
    "YDC_API_KEY": "not-a-secret",
    "YOU_API_KEY": "not-a-secret",
    "YOU_API_KEY_AUTH": "not-a-secret",
    "YOUCOM_API_KEY": "not-a-secret",
    "YOUDOTCOM_API_KEY": "not-a-secret",
}
# Where the world has what has no host of its own elsewhere: whoever installs it says where it is.
PLACES: Mapping[str, str] = {
    "SEARXNG_BASE_URL": "https://searxng.example",
    "SEARXNG_URL": "https://searxng.example",
    "SEARX_HOST": "https://searxng.example",
    "WEBRETRIEVAL_MCP_URL": "https://mcp.websearch.example/mcp",
}
_LIKE_A_KEY = re.compile(r"(_API_?KEY|_API_TOKEN|_ACCESS_TOKEN|_AUTH_TOKEN|_SECRET_KEY|_SECRET_ACCESS_KEY)$")
_OTHER_SECRETS = frozenset({"GITHUB_TOKEN", "GH_TOKEN", "HF_TOKEN", "AWS_SESSION_TOKEN", "AWS_ACCESS_KEY_ID"})
HARMLESS = "not-a-secret"


def offline(environment: Mapping[str, str], real: Collection[str] = ()) -> dict[str, str]:
    """For a place where every provider is ours: each key has a harmless value, a real one too, and telemetry goes to
    the world, where there is what one installs by oneself. Variables of ``real`` keep their value: they are for who is
    let out."""
    inside = {
        name: HARMLESS if _LIKE_A_KEY.search(name.upper()) or name in _OTHER_SECRETS else value
        for name, value in environment.items()
    }
    kept = {name: environment[name] for name in real if name in environment}
    return {**led_to_the_world(inside), **KEYS, **PLACES, **_NO_CLOUD, **kept}


def online(environment: Mapping[str, str]) -> dict[str, str]:
    """For a place that leads to the real providers: keys are as they are, and a missing one is missing."""
    return {**environment, **_NO_CLOUD}


def inside(
    environment: Mapping[str, str], bundle: str, browser: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The environment without ways around the doors, with ``bundle`` (a file of roots) as what is trusted, and
    the variables by which a ``browser`` is found."""
    kept = {
        name: value
        for name, value in environment.items()
        if name.lower() not in _PROXIES and name not in _NOT_FOR_IT
    }
    return kept | dict.fromkeys(TRUST_VARIABLES, bundle) | dict(browser or {})
