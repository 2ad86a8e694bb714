"""`turnstream sign`: nicknames that an older release has stored get MACs."""

import argparse

from service.programs.ops.data_loss import require_no_loss
from service.programs.ops.progress import Progress
from service.programs.ops.verbs import Site, say
from service.rooms.access.audit_log import know_erased
from service.rooms.scrub import finish_signing, sign_page


async def sign(site: Site, _: argparse.Namespace) -> int:
    """Sign every protected value without a current MAC, and say whether the store is complete. Raises `StoreLost`."""
    await require_no_loss(site.store, site.settings)
    await know_erased(site.store)
    progress, cursor, damaged = Progress("values signed"), None, 0
    while True:
        page = await sign_page(site.store, cursor)
        progress.add(page.signed)
        damaged += page.damaged
        if (cursor := page.next) is None:
            break
    progress.end()
    say(f"{progress.done} values signed, damaged: {damaged}")
    if await finish_signing(site.store, progress.done):
        say("Everything has a MAC: from now on a value without one is damaged.")
    elif site.store.signer.accepts_unsigned:
        say("Values without a MAC are accepted, because TURNSTREAM_UNSIGNED=accept.")
    else:
        say("Values without a MAC are accepted until a run finds none: repeat it when no older release runs.")
    return 1 if damaged else 0
