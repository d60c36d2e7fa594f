"""Which providers a channel of the live lane may name, and where those of models answer."""

from __future__ import annotations

from importlib.metadata import entry_points

from .typed import did_you_mean

# Dialects of the world that have a host on the real web, by what they offer.
_APIS = {
    "search-api": (
        *("tavily", "exa", "firecrawl", "jina", "brave", "perplexity", "serper", "parallel", "you", "linkup"),
        "keenable",
    ),
    "extract-api": ("tavily", "exa", "firecrawl", "jina", "parallel", "you", "linkup", "keenable"),
}
API_CHANNELS = tuple(_APIS)
MODEL_HOSTS = {
    "openai": ("api.openai.com",),
    "anthropic": ("api.anthropic.com",),
    "google": ("generativelanguage.googleapis.com", "aiplatform.googleapis.com"),
    "openrouter": ("openrouter.ai",),
    "mistral": ("api.mistral.ai",),
    "groq": ("api.groq.com",),
    "deepseek": ("api.deepseek.com",),
    "xai": ("api.x.ai",),
    "together": ("api.together.xyz",),
    "fireworks": ("api.fireworks.ai",),
    "cerebras": ("api.cerebras.ai",),
    "perplexity": ("api.perplexity.ai",),
    "cohere": ("api.cohere.com",),
    "huggingface": ("router.huggingface.co",),
}
# A dialect of the user's own stands under its name here; its code is the world's alone to load.
_OWN = "webretrieval.dialects"


def provider_fault(channel: str, provider: str) -> str | None:
    """What is wrong with the provider of a channel, to be said behind its key; None where it is known, or where anybody
    may be one: who fetches pages or lends a browser answers at no host of its own."""
    if channel == "model":
        known = tuple(MODEL_HOSTS)
        return None if provider in known else f"unknown provider `{provider}`{did_you_mean(provider, known)}"
    if channel not in _APIS:
        return None
    known = (*_APIS[channel], *sorted(point.name for point in entry_points(group=_OWN)))
    if provider in known:
        return None
    hint = did_you_mean(provider, known)
    return f"unknown provider `{provider}`{hint} (one of your own needs a dialect: docs/dialects.md)"
