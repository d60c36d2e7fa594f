"""Words by what they do to a statement: join, deny, doubt, alter, limit, or add nothing.

English, German, French, Spanish.
"""

from __future__ import annotations


def _words(*lines: str) -> frozenset[str]:
    return frozenset(" ".join(lines).split())


# Words that only join others, or stand for them.
JOINING = _words(
    "a an the of in on at to for from by with and or as is are was were be been being am it its this that",
    "these those he she they his her hers their theirs him them we our ours us you your yours i my me have",
    "has had having do does did which who whom whose what there here such than then so",
    "into onto about also s d ll re ve o upon within via per & while when where how why too very own",
    "itself himself herself themselves der die das den dem des ein eine einer einem einen eines und oder im",
    "am auf zu zum zur von vom mit bei ist sind war waren wird werden wurde wurden hat haben hatte als es sie",
    "wie er wir ihr sein seine seiner dass daß auch sich für le la les l un une du au aux et ou en dans sur pour",
    "par avec est sont était été sera ce cette ces cet qui que qu il elle ils elles son sa ses leur leurs se",
    "y el los las una unos unas del al e con por para son era fue ser su sus lo como",
    "but because although though whereas aber sondern weil obwohl mais quoique pero sino porque aunque",
)
NEGATIONS = _words(
    "not no never neither nor cannot without none nobody nothing nowhere hardly rarely seldom barely scarcely",
    "unable fails failed lacks nicht kein keine keinen keinem keiner keines nie niemals ohne pas jamais sans",
    "aucun aucune ni nunca jamás sin ningún ninguna ninguno tampoco kaum selten weder guère rarement apenas",
    "raramente",
)
# Words by which a writer does not say that it is so: doubt, a condition, another's word or wish, what was not done.
DOUBTS = _words(
    "may might could perhaps possibly probably maybe allegedly alleged reportedly supposedly purportedly",
    "claim claims claimed rumor rumors rumour rumours rumored myth hoax false falsely fake incorrect",
    "incorrectly wrong wrongly untrue satire hypothetical hypothetically fictional imaginary unclear unlikely",
    "likely seems seem appears appear apparently believed proposed planned plans expected predicted intended",
    "unless whether misconception alleges speculated vielleicht angeblich könnte dürfte falls peut-être",
    "aurait pourrait quizás quizá podría habría supuestamente",
    # what is possible and need not be
    "can kann können kannst peut peuvent puede pueden",
    # a condition, and what is yet to come
    "if provided assuming otherwise will would shall should ought must wenn sofern sollte sollten würde würden",
    "soll sollen si pourvu devrait sera seront debería sería serán será",
    # what somebody else says, or wants
    "said says saying told tells according announced announces argued argues believe believes think thinks thought",
    "reported reports insisted insists suggested suggests hinted warned warns accused accuses hope hopes hoped",
    "hoping hopefully want wants wanted wish wishes wished vowed pledged promised promises threatened threatens",
    "dream dreamed dreamt imagine imagined pretend pretended pretends fear fears feared doubt doubts doubted",
    "sagte sagt sagen laut zufolge behauptet behauptete behaupten meint meinte glaubt glaubte hofft hoffte hofften",
    "selon affirme affirmé déclaré croit espère espérait prétend según dijo dice cree espera afirma afirmó",
    # what is not done, or not so
    "deny denies denied denying refuse refuses refused refusing decline declines declined reject rejects rejected",
    "try tries tried attempt attempts attempted avoid avoids avoided prevent prevents prevented refute refuted",
    "disputed disputes retracted withdrew annulled plan planning aims aimed",
    "bestreitet bestritt dementiert dementierte weigert weigerte lehnt lehnte refusé nié niega negó",
    "rechazó intenta versucht versuchte",
)
# Words that make another thing, amount or share of what they stand beside.
ALTERING = _words(
    "above below up least most more less fewer only many several all every each any both either other another",
    "before after since during last next previous mehr weniger nur alle viele vor nach seit bis plus moins",
    "seulement tous toutes avant après depuis más menos solo sólo todos todas antes después desde hasta over",
    "under mostly mainly",
)
# Those that take something away from what they stand beside: where a page has one and the claim has not, the page says
# less than the claim.
LIMITING = _words(
    "help helps helped helping",
    "almost nearly about approximately around roughly circa half partly partially some few former formerly",
    "previously ex vice deputy acting assistant non anti pseudo quasi semi except excluding unlike instead",
    "rather versus vs until up ungefähr etwa rund einige ehemalige ehemaliger presque environ certains ancien",
    "ancienne casi algunos",
)
# Words that name, place or soften, and may be left out without another thing being said.
LIGHT = _words(
    "also known called named located situated include includes including included however additionally",
    "moreover furthermore therefore thus currently",
)
# Words that only say where something stands: a clause of nothing else says nothing of the world.
POINTING = _words(
    "page pages site website source sources article document text table list entry section link quote says say said",
    "states state stated stating shows show shown showing reads read listed lists given gives noted notes see",
    "mentioned mentions described describes according indicated indicates cited found information details further",
    "above below",
    "seite quelle quellen tabelle artikel text laut steht siehe sagt zeigt angabe angaben source page tableau article",
    "indique selon voir dit montre fuente página tabla artículo según indica dice muestra véase",
)
