"""English words that hold sentences together and say little about their topic, by what they do.

Written for this library. Pieces that an apostrophe leaves behind (`don` and `ll` of "don't" and "we'll") are in it, for
the usual pattern cuts there; so are the verbs of reported speech, as in Table 4.1 of the DTU text.
"""

from __future__ import annotations

_ENGLISH = """
a an the
i me my mine myself we us our ours ourselves you your yours yourself yourselves
he him his himself she her hers herself it its itself they them their theirs themselves one oneself
this that these those who whom whose which what
some any no none nobody nothing somebody someone something anybody anyone anything everybody everyone everything
all both each either neither every few fewer many more most much other others another same several such own
and or but nor so yet if then else because since unless until while whereas though although whether than as
about above across after against along among around at before behind below beneath beside besides between beyond by
down during except for from in inside into like near of off on onto out outside over past per through throughout to
toward towards under up upon via with within without
am is are was were be been being do does did doing done have has had having
can could may might must shall should will would ought cannot
not never only just too very also even still again ever quite rather almost already always often perhaps
here there where when why how however thus hence therefore
say says said saying
don doesn didn isn aren wasn weren hasn haven hadn won wouldn shouldn couldn ll ve re
don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't won't wouldn't shouldn't couldn't can't
i'm i've i'd i'll you're you've you'll he's she's it's we're we've we'll they're they've they'll that's there's
"""

ENGLISH = frozenset(_ENGLISH.split())
STOP_WORDS = {"english": ENGLISH}
