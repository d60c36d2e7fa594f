"""What a mutant brings about on the healthy cases of strata that are not its own, beyond what its mistake explains.

A mutant may be wrong there in its own way, or do well; what else is said of it has a reason that is named here, and
must be said. A rule that is unjust to it has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

# A case each of search, dynamic, auth and blocking; of known-url every row has one of its own, or names why not.
STRATA = ("S03", "D06", "A01", "B05")
# Each of these cases would take as long as its deadline.
NOT_ASKED = ("Hangs", "LeavesABrowserBehind")

# Opens the page of an account by means of its own before it asks with the user's session.
_FIRST_WITHOUT_A_SESSION = """
    BelievesTheNoscript ReadsThePlaceholder StopsHalfway ReadsTheBanner TakesTheFirstPrice
    CitesTheForeman TakesHalfAPage ReadsTheWindow CannotSpell FollowsTheRing OpensABrowser
    ReadsTheRulesAndGoesOn AsksAgainAtOnce Hammers GivesUpAtOnce ReadsTheBusyPage CarriesTheSecretAway
    FollowsAnyRedirect FollowsAnyRefresh ChecksTheFirstHop ReadsToTheEnd UnfoldsItAll AnswersFromHalf
    answers-what-broke-off KeepsWhatUnpacked DecodesEachPiece TakesTheGuess ReadsTheErrorsBody
    RetriesUntilItAnswers SleepsAsLongAsAsked WaitsForEver GivesUpTheScript
"""
# Takes the first of its start URLs: a search has none.
_CANNOT_SEARCH = """
    BelievesTheNoscript ReadsThePlaceholder StopsHalfway ReadsTheBanner TakesTheFirstPrice
    CitesTheForeman TakesHalfAPage ReadsTheWindow CannotSpell FollowsTheRing ReadsTheRulesAndGoesOn
    ReadsTheBusyPage RestsOnAProvidersCopy RestsOnAnIndexsCopy
"""
# Reads by means of its own that do not ask again, and meets the reset.
_DOES_NOT_ASK_AGAIN = """
    BelievesTheNoscript ReadsThePlaceholder StopsHalfway ReadsTheBanner TakesTheFirstPrice
    TakesHalfAPage OpensABrowser AsksAgainAtOnce Hammers ReadsTheBusyPage FollowsAnyRefresh
    ChecksTheFirstHop ReadsToTheEnd KeepsWhatUnpacked DecodesEachPiece DoesNotFollow TakesTheGuess
    ReadsTheErrorsBody SleepsAsLongAsAsked WaitsForEver GivesUpTheScript
"""
# Wrong in another way where there is more or less to read than on its own cases.
_OTHERWISE: Mapping[str, Mapping[str, set[str]]] = {
    "CitesASnippet": {"S03": {"wrong-value"}},
    "CitesTheHomePage": {
        "S03": {"citation-not-allowed"},
        "D06": {"citation-not-allowed"},
        "A01": {"citation-not-allowed"},
        "B05": {"citation-not-allowed"},
    },
    "CitesTheNeighbour": {"A01": {"missing-fact"}, "B05": {"missing-fact"}},
    "StopsAtOneSource": {"A01": {"missing-fact"}, "B05": {"missing-fact"}},
    "CitesWhatItCannotRead": {
        "S03": {"citation-not-allowed"},
        "D06": {"citation-not-allowed"},
        "A01": {"citation-not-allowed"},
        "B05": {"citation-not-allowed"},
    },
    "TriesTwentyTimes": {"D06": {"over-requests"}, "A01": {"over-requests"}},
    "AsksTooOften": {"A01": {"auth-loop", "login-wall"}},
    "HidesItsRequests": {"A01": {"auth-loop", "login-wall"}},
}


def _named() -> Iterator[tuple[str, str, set[str]]]:
    """Name, case and tags."""
    for names, case, tag in (
        (_FIRST_WITHOUT_A_SESSION, "A01", "login-wall"),
        (_CANNOT_SEARCH, "S03", "raised"),
        (_DOES_NOT_ASK_AGAIN, "B05", "raised"),
    ):
        yield from ((name, case, {tag}) for name in names.split())
    for name, cases in _OTHERWISE.items():
        yield from ((name, case, tags) for case, tags in cases.items())


ELSEWHERE: Mapping[tuple[str, str], set[str]] = {(name, case): tags for name, case, tags in _named()}
