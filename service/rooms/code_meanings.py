"""The meanings of refusal codes by language: English next to the codes, others here, those of games in the games."""

from service.domain.catalog import GAMES, texts_of
from service.domain.presentation import Language
from service.streams.codes import CODES

GERMAN_CODES: dict[str, str] = {
    # Rooms.
    "not_your_turn": "Dieser Platz ist nicht am Zug.",
    "not_playing": "In diesem Raum läuft keine Partie; warte auf die nächste.",
    "match_running": "Das geht nicht während einer Partie; warte, bis sie zu Ende ist.",
    "rated_match": (
        "In gewerteten Partien geht das nicht: Züge zurücknehmen, Tipps, Neubeginn, andere Einstellungen, entfernen, "
        "schließen, Bots, andere auf einem Platz und vor dem Ende eine Stellung daraus spielen."
    ),
    "not_a_member": "Du gehörst nicht zu diesem Raum; tritt zuerst bei.",
    "not_seated": "Das kann nur, wer einen Platz hat; nimm zuerst einen Platz ein.",
    "not_your_seat": "Das ist nicht dein Platz; nenne einen deiner Plätze.",
    "not_the_creator": "Das kann nur, wer den Raum leitet.",
    "seat_required": "Du hast mehrere Plätze; nenne einen davon.",
    "no_such_seat": "Dieses Spiel hat keinen Platz mit dieser Nummer; gezählt wird ab 0.",
    "seats_count": "Zu jedem Platz des Spiels gehört genau ein Eintrag, `null` für einen leeren Platz.",
    "already_joined": "Du gehörst schon zu diesem Raum.",
    "already_seated": "Diese Person hat schon einen Platz; mehrere gibt es nur, wenn alle an einem Gerät spielen.",
    "needs_a_seat": "`/ready` und `/unready` gelten einem Raum, in dem du einen Platz hast; schreib sie dort.",
    "already_ready": "Du bist schon bereit.",
    "salt_too_early": "Während einer Partie wird kein Salz angenommen; sende es nach ihrem Ende.",
    "not_ready": "Du bist nicht bereit, also gibt es nichts zurückzunehmen.",
    "already_dropped": "Dieser Platz ist schon aus der Partie ausgeschieden.",
    "room_full": "Alle Plätze sind besetzt; schau zu oder versuche es, wenn einer frei ist.",
    "seat_taken": "Diesen Platz hat jemand anderes; wähle einen freien.",
    "seats_empty": "Die Partie kann erst beginnen, wenn alle Plätze besetzt sind.",
    "starts_by_itself": "In diesem Raum beginnen Partien von selbst.",
    "is_spectator": "Wer zuschaut, kann keinen Platz zugewiesen bekommen, sondern nimmt ihn selbst ein.",
    "no_such_player": "Diese Person gehört nicht zu diesem Raum.",
    "nickname_taken": "In diesem Raum hat schon jemand diesen oder einen sehr ähnlichen Namen; wähle einen anderen.",
    "bad_nickname": (
        "Dieser Name geht nicht: Nimm 1 bis 24 sichtbare Zeichen aus Schriften, die zusammengehören, ohne unsichtbare "
        "Zeichen und solche, die die Schreibrichtung ändern, und keinen Namen des Dienstes."
    ),
    "bad_name": "Dieser Raumname geht nicht: Nimm 3 bis 40 Buchstaben a-z, Ziffern, Bindestriche oder Leerzeichen.",
    "no_such_level": "In dieser Stärke gibt es für dieses Spiel keine Bots.",
    "not_a_bot": "Auf diesem Platz sitzt kein Bot des Dienstes.",
    "time_is_up": "Die Zeit für diesen Zug ist um; er wurde nicht ausgeführt.",
    "already_so": "Es gibt nichts zu ändern: Der Raum ist schon so.",
    "nothing_to_veto": "Die nächste Partie aufschieben kannst du nur bereit oder während und nach einer.",
    "members_only": "Diesen Raum sehen nur Mitglieder; tritt zuerst bei.",
    "no_spectators": "Dieser Raum lässt niemanden zuschauen; spiel mit, wenn ein Platz frei ist.",
    "kicked": "Du wurdest aus diesem Raum entfernt und kannst nicht wieder beitreten.",
    "no_such_invitation": "Eine Einladung mit diesem Code oder dieser Nummer gibt es nicht; bitte um einen neuen Link.",
    "invitation_ended": "Diese Einladung gilt nicht mehr; bitte um einen neuen Link.",
    "not_your_invitation": "Diese Einladung ist nicht von dir; zurückziehen kann sie auch, wer den Raum leitet.",
    "too_many_invitations": "Der Raum hat so viele offene Einladungen wie erlaubt; ziehe zuerst eine zurück.",
    "invited_to_seat": "Diese Einladung gilt für einen bestimmten Platz: Spiel mit, und nenne diesen oder keinen.",
    "already_declined": "Du hast diese Einladung schon abgelehnt, oder zu viele andere haben es getan.",
    "not_yourself": "Das geht nicht mit dir selbst; um zu gehen, verlasse den Raum.",
    "not_abandoned": "Das geht noch nicht: Die Person ist da oder noch nicht lange genug weg.",
    "already_offered": "Du hast das schon angeboten, und das Angebot gilt noch.",
    "draw_offered_here": "Hier wurde schon remis angeboten; gegen Bots geht es nach dem nächsten Zug wieder.",
    "no_such_offer": "Ein offenes Angebot mit dieser Nummer gibt es nicht.",
    "not_asked": "Dieses Angebot braucht deine Antwort nicht.",
    "not_your_offer": "Dieses Angebot ist nicht von dir; du kannst es nur ablehnen.",
    "nothing_to_take_back": "Du hast in dieser Partie keinen Zug, der sich zurücknehmen lässt.",
    "room_closed": "Dieser Raum ist geschlossen; öffne unter seinem Namen einen neuen.",
    "nothing_due": "In diesem Raum gibt es gerade nichts zu tun.",
    # The service.
    "malformed": (
        "Die Anfrage ist kein gültiges HTTP, oder ihr Inhalt ist ungültig: Er muss JSON in UTF-8 sein, ohne sehr tiefe "
        "Verschachtelung, ohne Zahlen über 2^53 - 1 und ohne gleiche Namen in einem Objekt."
    ),
    "unauthenticated": "Das Token fehlt oder ist nicht von diesem Dienst.",
    "wrong_host": "Diesen Host bedient der Dienst nicht.",
    "scope_missing": "Dafür gilt das Token nicht; nimm eines mit dem Umfang, der in `params` genannt ist.",
    "no_such_token": "Ein Token mit dieser Nummer hast du nicht; vielleicht ist es widerrufen oder abgelaufen.",
    "too_many_nicknames": "Du hast so viele verschiedene Namen benutzt wie erlaubt; nimm einen davon wieder.",
    "too_many_tokens": "Du hast so viele Token wie erlaubt; widerrufe zuerst eines.",
    "no_such_code": "Der Code ist falsch, schon benutzt oder abgelaufen; lass dir einen neuen geben.",
    "not_you": "Das geht nur mit dir selbst: Gib deine eigene ID an.",
    "own_block": "Dich selbst kannst du nicht blockieren.",
    "too_many_blocks": "Du hast so viele Leute blockiert wie erlaubt; gib zuerst jemanden frei.",
    "profile_hidden": "Das Profil dieser Person ist verborgen, oder sie wurde gelöscht.",
    "too_many_exports": "Du liest schon einen anderen Export; warte, bis er zu Ende ist.",
    "player_erased": "Diese Person wurde endgültig gelöscht; mach als eine andere weiter.",
    "banned": "Die Betreiber haben dich gesperrt.",
    "muted_by_operator": "Die Betreiber haben dich im Chat stummgeschaltet.",
    "not_found": "Unter dieser Adresse gibt es nichts.",
    "no_such_room": "Einen offenen Raum mit diesem Namen gibt es nicht, oder du darfst ihn nicht sehen.",
    "muted": "Wer den Raum leitet, hat dich in seinem Chat stummgeschaltet.",
    "no_review": "Die Bots dieses Spiels bewerten keine Stellungen, daher hat keine Partie einen Rückblick.",
    "no_such_match": "Eine Partie mit dieser Kennung gibt es nicht.",
    "no_such_game": "Ein Spiel mit diesem Namen gibt es nicht.",
    "no_such_ply": "So viele Züge hat die Partie nicht.",
    "no_such_version": "Diese Version hat der Raum noch nicht erreicht.",
    "method_not_allowed": "Diese Methode ist an dieser Adresse nicht erlaubt.",
    "not_acceptable": "Keinen der Medientypen aus der Kopfzeile `Accept` gibt es hier.",
    "name_taken": "Ein anderer offener Raum heißt so; wähle einen anderen Namen oder tritt ihm bei.",
    "still_playing": "Die Partie läuft noch; ihr Text, der den Startwert enthält, wird nach ihrem Ende lesbar.",
    "not_over": "Die Partie läuft noch; analysieren lässt sie sich nach ihrem Ende.",
    "position_too_late": "Vor dieser Stellung hat die Partie zu viele Ereignisse; wähle eine frühere.",
    "position_over": "Hier war die Partie schon entschieden, also geht es nicht weiter; wähle eine frühere Stellung.",
    "trimmed": "Diese Versionen wurden aus dem Verlauf des Raums entfernt.",
    "version_mismatch": "Der Raum hat nicht die Version aus `If-Match`; lies ihn neu.",
    "body_too_large": "Der Inhalt der Anfrage ist zu groß.",
    "unsupported_media_type": "Der Inhalt muss JSON sein, mit `Content-Type: application/json`.",
    "unfit": "Eine Angabe passt nicht zu dem, was hier erwartet wird.",
    "bad_line": ("Eine Nachricht braucht 1 bis 500 sichtbare Zeichen, ohne solche, die die Schreibrichtung ändern."),
    "key_reused": "Dieser `Idempotency-Key` gehört schon zu einem anderen Inhalt; nimm für jeden Befehl einen neuen.",
    "key_not_supported": "Diese Antwort lässt sich nicht wiederholen; sende die Anfrage ohne `Idempotency-Key`.",
    "rate_limited": "Zu viele Anfragen in kurzer Zeit.",
    "too_many_rooms": "Du bist in so vielen Räumen wie erlaubt; verlasse zuerst einen.",
    "room_crowded": "Der Raum hat so viele Mitglieder wie erlaubt; zuschauen kannst du, ohne beizutreten.",
    "too_many_watchers": "Der Raum hat so viele Verbindungen wie erlaubt; versuche es später noch einmal.",
    "no_such_seek": "Diese Suche gibt es für dich nicht; sie ist erfüllt, zurückgezogen oder abgelaufen.",
    "seek_not_compatible": "Wer hier sucht, möchte andere finden, zum Beispiel mit einer näheren Wertung.",
    "no_such_rating_list": "Eine Wertungsliste dieses Spiels und dieser Klasse gibt es nicht.",
    "no_such_challenge": "Eine offene Herausforderung mit dieser Nummer hast du nicht; sie ist vielleicht abgelaufen.",
    "opponent_unavailable": "Diese Person kann gerade nicht herausgefordert werden.",
    "already_challenged": "Deine Herausforderung an diese Person ist noch offen.",
    "too_many_challenges": "Du hast so viele offene Herausforderungen wie erlaubt; ziehe zuerst eine zurück.",
    "not_a_bot_token": "Nur ein Bot kann in die Liste; nimm ein Token mit dem Recht `bot`.",
    "too_many_bots": "In der Liste stehen so viele Bots wie erlaubt; versuche es später noch einmal.",
    "already_paired": "Ein Raum wartet schon auf dich; sieh unter `pairing` bei GET /v1/players/me/seeks nach.",
    "too_many_seeks": "Du hast so viele Suchen wie erlaubt; ziehe zuerst eine zurück.",
    "seeking_paused": "Dreimal nacheinander nicht bereit gewesen oder abgebrochen; suche ab `until` wieder.",
    "no_such_webhook": "Einen Webhook mit dieser Nummer gibt es nicht; vielleicht ist er gelöscht.",
    "too_many_webhooks": "Es gibt so viele Webhooks wie erlaubt; lösche zuerst einen.",
    "webhook_not_active": "An diesen Webhook wird nichts gesendet; lass zuerst seine Adresse prüfen.",
    "no_such_event": "Ein Ereignis mit dieser Version gibt es nicht, oder es ist nicht mehr gespeichert.",
    "too_many_replays": "So viele Ereignisse wie erlaubt warten schon; versuche es gleich noch einmal.",
    "too_many_sockets": "Von dieser Adresse oder von dir sind zu viele Verbindungen offen; schließe zuerst eine.",
    "too_many_subscriptions": "Diese Verbindung folgt so vielen Räumen wie erlaubt; verlasse zuerst einen.",
    "outcome_unknown": "Der Speicher ist während des Befehls ausgefallen; ob er gilt, ist unbekannt. Wiederhole ihn.",
    "store_unavailable": "Der Speicher ist nicht erreichbar; nichts wurde geändert. Versuche es noch einmal.",
    "store_lost_data": (
        "Der Speicher hat Daten verloren: Räume können gelesen, aber nicht geändert werden, bis die Betreiber "
        "eingegriffen haben."
    ),
    "store_unfit": (
        "Der Speicher ist falsch eingerichtet: Räume können gelesen, aber nicht geändert werden, bis die Betreiber das "
        "geändert haben."
    ),
    "store_full": (
        "Dem Speicher fehlt Platz: Räume können gelesen, aber nicht geöffnet oder geändert werden; versuche es später."
    ),
    "leaving": "Dieser Prozess wird beendet; verbinde dich neu.",
    "no_hints": "In diesem Raum gibt es für dich keine Tipps.",
    "too_many_hints": "Du wartest schon auf zwei Tipps, oder zu viele warten; versuche es gleich noch einmal.",
    "too_many_reviews": "Du wartest schon auf zwei Rückblicke; versuche es wieder, wenn einer fertig ist.",
    "busy": "Zu viele andere Befehle an diesen Raum kamen gleichzeitig; versuche es noch einmal.",
    "history_damaged": "Ein Verlauf oder ein anderer Teil des Speichers ist beschädigt; die Betreiber müssen ihn "
    "untersuchen.",
    "counter_damaged": "Die Zahl der Ereignisse in einem Teil des Speichers ist beschädigt: Seine Räume können nur "
    "gelesen werden, bis sie neu gezählt ist.",
    "newer_events": "Eine neuere Version des Dienstes hat in diesen Raum geschrieben; diese kann ihn nicht lesen.",
    "passwords_busy": "Zu viele Passwörter werden gerade geprüft; versuche es gleich noch einmal.",
    # Tournaments.
    "no_such_tournament": "Es gibt kein Turnier mit dieser Kennung.",
    "tournament_over": "Das Turnier ist zu Ende oder wurde abgesagt.",
    "registration_closed": "Das Turnier nimmt niemanden mehr auf.",
    "tournament_full": "Das Turnier hat so viele Teilnehmende, wie es aufnimmt.",
    "not_registered": "Diese Person nimmt nicht teil.",
    "removed_from_tournament": "Du wurdest aus diesem Turnier entfernt, von der Turnierleitung oder durch eine Sperre.",
    "no_programs": "An diesem Turnier dürfen Programme nicht teilnehmen.",
    "no_check_in": "Im Moment bestätigt niemand die Teilnahme; `begins` nennt den Beginn.",
    "not_the_organiser": "Das kann nur die Turnierleitung.",
    "too_few_players": "Eine Partie braucht mehr Teilnehmende, als angemeldet sind.",
    "too_many_tournaments": (
        "Von dir oder von allen zusammen sind so viele Turniere offen wie erlaubt, nämlich `most`. Sage eines von "
        "deinen ab, oder lege dieses an, wenn ein anderes zu Ende ist."
    ),
    "internal": "Ein innerer Fehler ist aufgetreten und wurde aufgezeichnet.",
}

TRANSLATIONS: dict[Language, dict[str, str]] = {"de": GERMAN_CODES}
"""The meanings of the codes of rooms and of the service in languages other than English."""


def meanings(language: Language) -> dict[str, str]:
    """Return the meaning of every code by name in a language."""
    games = {code: text for game in GAMES.values() for code, text in texts_of(game, language).refusals.items()}
    others = {code: entry.meaning for code, entry in CODES.items() if code not in games}
    return {**games, **others, **TRANSLATIONS.get(language, {})}
