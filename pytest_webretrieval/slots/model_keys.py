"""Under which variables clients look for the key of a model's host."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_GOOGLE = ("GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY")
BY_HOST: Mapping[str, tuple[str, ...]] = {
    "api.openai.com": ("OPENAI_API_KEY",),
    "api.anthropic.com": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "generativelanguage.googleapis.com": _GOOGLE,
    "aiplatform.googleapis.com": _GOOGLE,
    "openrouter.ai": ("OPENROUTER_API_KEY",),
    "api.mistral.ai": ("MISTRAL_API_KEY",),
    "api.groq.com": ("GROQ_API_KEY",),
    "api.deepseek.com": ("DEEPSEEK_API_KEY",),
    "api.x.ai": ("XAI_API_KEY", "GROK_API_KEY"),
    "api.together.xyz": ("TOGETHER_API_KEY", "TOGETHER_AI_API_KEY"),
    "api.fireworks.ai": ("FIREWORKS_API_KEY", "FIREWORKS_AI_API_KEY"),
    "api.cerebras.ai": ("CEREBRAS_API_KEY",),
    "api.perplexity.ai": ("PERPLEXITY_API_KEY", "PPLX_API_KEY", "PERPLEXITYAI_API_KEY"),
    "api.cohere.com": ("COHERE_API_KEY", "CO_API_KEY"),
    "router.huggingface.co": ("HF_TOKEN", "HUGGINGFACE_API_KEY", "HUGGING_FACE_HUB_TOKEN"),
}


def keys_for(hosts: Iterable[str]) -> frozenset[str]:
    """The variables for these hosts; none for a host that is no model's."""
    return frozenset(name for host in hosts for name in BY_HOST.get(host, ()))
