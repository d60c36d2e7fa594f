"""What is run inside a page that a browser shows: looking, waiting, finding buttons, scrolling."""

from __future__ import annotations

# The page as it is seen now, as plain markup: open shadow roots and same-origin frames stand where they are
# shown, what is not rendered is left out, fields hold what is in them.
SNAPSHOT = r"""
() => {
  const kept = ["id", "class", "role", "href", "datetime", "itemprop", "type", "for", "name", "value", "content",
                "placeholder", "pattern", "title", "checked", "selected", "lang", "open", "property", "rel",
                "http-equiv", "method", "action", "pubdate"];
  const dropped = new Set(["STYLE", "NOSCRIPT", "TEMPLATE", "SVG", "CANVAS", "OBJECT", "VIDEO", "AUDIO"]);
  const empty = new Set(["INPUT", "BR", "HR", "META", "LINK", "BASE", "IMG", "WBR", "COL", "SOURCE"]);
  const escape = text => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const quote = text => escape(text).replace(/"/g, "&quot;");
  const parts = [];
  const attributes = element => {
    let text = "";
    for (const { name, value } of element.attributes)
      if (kept.includes(name) || name.startsWith("aria-")) text += ` ${name}="${quote(value)}"`;
    return text;
  };
  const seen = element => {
    const style = getComputedStyle(element);
    if (style.display === "none") return false;
    return element.tagName === "OPTION" || style.display === "contents" || element.checkVisibility();
  };
  const children = element => {
    if (element.tagName === "SLOT") {
      const given = element.assignedNodes({ flatten: true });
      return given.length ? given : element.childNodes;
    }
    return (element.shadowRoot || element).childNodes;
  };
  const frame = element => {
    try { return element.contentDocument && element.contentDocument.body; } catch { return null; }
  };
  const write = (node, shown, head) => {
    if (node.nodeType === Node.TEXT_NODE) {
      if (shown) parts.push(escape(node.data));
      return;
    }
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    const name = node.tagName.toUpperCase(), tag = node.tagName.toLowerCase();
    if (name === "SCRIPT") {
      if (node.type === "application/ld+json") parts.push(`<script type="${node.type}">${node.textContent}</script>`);
      else parts.push('<script src="#"></script>');
      return;
    }
    if (dropped.has(name) || (!head && !seen(node))) return;
    if (name === "IFRAME") {
      const body = frame(node);
      if (!body) return;
      parts.push("<div>");
      body.childNodes.forEach(child => write(child, true, false));
      parts.push("</div>");
      return;
    }
    const visible = head || getComputedStyle(node).visibility === "visible";
    let held = attributes(node);
    if (name === "INPUT" && !["checkbox", "radio", "password"].includes(node.type) && node.value)
      held = held.replace(/ value="[^"]*"/, "") + ` value="${quote(node.value)}"`;
    parts.push(`<${tag}${held}>`);
    if (empty.has(name)) return;
    if (name === "TEXTAREA") parts.push(escape(node.value));
    else for (const child of children(node)) write(child, visible, head);
    parts.push(`</${tag}>`);
  };
  const root = document.documentElement;
  parts.push(`<!doctype html><html${attributes(root)}><head>`);
  if (document.head) for (const child of document.head.childNodes) write(child, true, true);
  parts.push("</head><body>");
  if (document.body) for (const child of children(document.body)) write(child, true, false);
  parts.push("</body></html>");
  return parts.join("");
}
"""

# Resolves when nothing in the document has changed for `still` milliseconds, or after `longest`.
QUIET = r"""
([still, longest]) => new Promise(resolve => {
  const done = () => { observer.disconnect(); clearTimeout(last); clearTimeout(end); resolve(); };
  let last = setTimeout(done, still);
  const end = setTimeout(done, longest);
  const observer = new MutationObserver(() => { clearTimeout(last); last = setTimeout(done, still); });
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
})
"""

# Resolves at the next change of the document, or after `longest` milliseconds.
CHANGE = r"""
longest => new Promise(resolve => {
  const done = () => { observer.disconnect(); clearTimeout(end); resolve(); };
  const end = setTimeout(done, longest);
  const observer = new MutationObserver(done);
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
})
"""

# The visible button that answers a request for consent: the first of the patterns that one fits. Its
# surroundings speak of the subject, or are a dialog with a button for every pattern, and hold no field to fill
# in, so no other form is ever sent.
CONSENT_BUTTON = r"""
([patterns, subject, longest]) => {
  const buttons = [], about = new RegExp(subject, "iu");
  const gather = root => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) gather(element.shadowRoot);
      if (element.matches("button,[role=button],input[type=button],input[type=submit],a")) buttons.push(element);
    }
  };
  gather(document);
  const parent = node => node.parentElement || node.getRootNode().host || null;
  const text = element => (element.shadowRoot || element).textContent.replace(/\s+/g, " ").trim();
  const spoken = button => (text(button) || button.value || button.getAttribute("aria-label") || "")
    .replace(/[.!✓✔✕×]+/gu, "").trim();
  const fill = "textarea,select,input:not([type=checkbox],[type=hidden],[type=button],[type=submit],[type=radio])";
  const isDialog = node => node.matches("dialog,[role=dialog],[role=alertdialog],[aria-modal=true]")
    || getComputedStyle(node).position === "fixed";
  const isChoice = node => {
    const said = [...(node.shadowRoot || node).querySelectorAll("button,[role=button]")].map(spoken);
    return patterns.every(pattern => said.some(each => new RegExp(pattern, "iu").test(each)));
  };
  const asks = button => {
    const form = button.closest("form");
    if (form && !about.test(text(form))) return false;
    for (let node = parent(button); node && node !== document.documentElement; node = parent(node)) {
      const said = text(node);
      if (said.length > longest) return false;
      if (about.test(said) || (isDialog(node) && isChoice(node))) return !(node.shadowRoot || node).querySelector(fill);
    }
    return false;
  };
  const leads = button => button.tagName === "A" && button.hasAttribute("href")
    && !/^(?:#|javascript:)/i.test(button.getAttribute("href"));
  for (const pattern of patterns) {
    const fits = new RegExp(pattern, "iu");
    for (const button of buttons) {
      const shown = button.checkVisibility({ visibilityProperty: true });
      if (shown && fits.test(spoken(button)) && !leads(button) && asks(button)) return button;
    }
  }
  return null;
}
"""

# A visible button outside of every form that brings more items.
MORE_BUTTON = r"""
pattern => {
  const fits = new RegExp(pattern, "iu");
  for (const button of document.querySelectorAll("button,[role=button],a[href^='#'],input[type=button]")) {
    const said = (button.textContent.replace(/\s+/g, " ").trim() || button.value || "");
    const usable = !button.closest("form") && !button.disabled;
    if (usable && fits.test(said) && button.checkVisibility({ visibilityProperty: true })) return button;
  }
  return null;
}
"""

# A little up and then to the end, of the page and of everything in it that scrolls by itself: what watches the
# end of a list only sees it come into view anew.
SCROLL = r"""
async () => {
  const frames = () => new Promise(resolve => {
    setTimeout(resolve, 200);
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0)));
  });
  const scrolls = element => element.scrollHeight > element.clientHeight + 8 && element.clientHeight >= 40
    && /auto|scroll/.test(getComputedStyle(element).overflowY);
  const root = document.scrollingElement || document.documentElement;
  const all = [root, ...[...document.querySelectorAll("*")].filter(element => element !== root && scrolls(element))];
  for (const element of all) element.scrollTop = Math.max(0, element.scrollTop - 1.5 * element.clientHeight);
  await frames();
  for (const element of all) element.scrollTop = element.scrollHeight;
  await frames();
}
"""
