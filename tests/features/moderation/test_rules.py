"""What others see of a text, and what is said of it."""

import pytest

from rewards_app.features.moderation.rules import (
    Kind,
    Moderated,
    Violation,
    has_bad_words,
    moderate,
)
from rewards_app.features.profile.games import CATALOGUE

THE_THIRTEEN = [
    "hate",
    "stupid",
    "idiot",
    "loser",
    "noob",
    "trash",
    "garbage",
    "suck",
    "awful",
    "terrible",
    "worthless",
    "pathetic",
    "lame",
]


def kinds(text: str, language: str = "en") -> set[Kind]:
    return {violation.kind for violation in moderate(text, language).violations}


class TestInappropriateWords:
    @pytest.mark.parametrize("word", THE_THIRTEEN)
    def test_are_masked_a_star_a_letter_and_named(self, word: str):
        said = Violation(Kind.LANGUAGE, (word.capitalize(),))
        masked = Moderated(f"{'*' * len(word)} map!", (said,))
        assert moderate(f"{word.capitalize()} map!") == masked

    @pytest.mark.parametrize("word", ["hates", "hated", "idiots", "losers", "noobs", "sucks"])
    def test_are_masked_when_inflected(self, word: str):
        assert moderate(f"It {word}.").shown == f"It {'*' * len(word)}."

    @pytest.mark.parametrize(
        "text",
        [
            "Whatever, the closer chest was better.",
            "Scunthorpe is a place in England.",
            "I assume this class has a bass and a cockpit.",
            "The shell of the assassin",
            "My mouse is looser now",
            "E847 and 25-success are no words",
            "a %s: %s",
        ],
    )
    def test_inside_other_words_are_left_alone(self, text: str):
        assert moderate(text) == Moderated(text)

    @pytest.mark.parametrize(
        ("written", "shown"),
        [
            ("stuuupid", "********"),
            ("1d10t", "*****"),
            ("$tupid", "******"),
            ("n00b!!!", "****!!!"),
            ("st*pid", "******"),
            ("s.t.u.p.i.d boss", "*.*.*.*.*.* boss"),
            ("i d i o t", "* * * * *"),
            ("stu-pid", "***-***"),
            ("stu\u200bpid", "******"),
            ("s\u0337t\u0337upid", "******"),
            ("ｓｔｕｐｉｄ", "******"),
            ("𝐬𝐭𝐮𝐩𝐢𝐝", "******"),
            ("ѕtuріd", "******"),
            ("іdіоt", "*****"),
            ("ἰdiot", "*****"),
            ("stüpid", "******"),
        ],
    )
    def test_are_masked_in_disguise(self, written: str, shown: str):
        assert moderate(f"What a {written}").shown == f"What a {shown}"

    def test_leave_the_rest_as_it_was_written(self):
        text = "Ich\u00a0mag  <b>Ligaturen: ﬁ</b>, stupid\u0301 ½ ①"
        assert moderate(text).shown == "Ich\u00a0mag  <b>Ligaturen: ﬁ</b>, ****** ½ ①"


class TestBullying:
    @pytest.mark.parametrize(
        "text",
        [
            "You are stupid",
            "you're so dumb",
            "ur bad",
            "u r trash",
            "Shut up!",
            "get lost",
            "GET OUT",
            "get away",
            "nobody likes you",
            "no one wants you here",
            "you suck",
            "you stink",
            "kill yourself",
            "u can kill yourself",
            "You can kill yourself for all I care",
            "You should get lost",
            "Then get lost.",
            "and get lost",
            "k.y.s",
            "y0u 4re 5tup1d",
            "yоu аre ѕtupid",
            "you are s t u p i d",
            "y o u s u c k",
            "You\nare\nstupid",
            "You. Are. Stupid.",
            "You're trash luck won't save you",
            "You are bad, news at eleven",
            "nob\u200body likes y\u200bou",
        ],
    )
    def test_takes_the_whole_text_away(self, text: str):
        found = moderate(f"I read your guide. {text}")
        assert (found.shown, found.removed_for) == ("", Kind.BULLYING)

    def test_may_be_a_single_word_where_that_is_all_of_a_sentence(self):
        assert moderate("Verschwindet!", "de").removed_for is Kind.BULLYING
        assert moderate("Na und? Verschwindet!", "de").removed_for is Kind.BULLYING

    @pytest.mark.parametrize(
        ("language", "text"),
        [
            ("en", "I will find you and hurt you"),
            ("en", "I'll find you in real life"),
            ("en", "I will beat you up"),
            ("en", "I know where you live"),
            ("sv", "Jag ska slå dig i ansiktet"),
            ("de", "Ich weiß, wo du wohnst"),
            ("fr", "Je vais te retrouver et te tuer"),
            ("es", "Te voy a encontrar en la vida real"),
            ("it", "Ti vengo a cercare"),
            ("pl", "Znajdę cię i zabiję"),
            ("ru", "Я тебя найду в реале"),
            ("en", "I will beat you to death"),
            ("en", "I will beat you with a bat"),
            ("en", "I will find you tomorrow at school"),
            ("it", "Ti vengo a cercare con un coltello"),
            ("es", "Te voy a pegar un puñetazo en la cara"),
            ("sv", "Jag ska slå dig på skolan imorgon"),
            ("pl", "Pobiję cię jutro pod szkołą"),
            ("ru", "Найду тебя и сломаю ноги"),
            ("fr", "Je vais te retrouver à la sortie de l'école"),
            ("en", "I will hit you with my car"),
            ("en", "I will hit you again and again"),
            ("en", "I will find you at the party"),
            ("en", "I will beat you until you cry"),
            ("en", "Watch out, I'm waiting outside your school"),
            ("sv", "Du borde hoppa från en bro"),
            ("sv", "Jag ska slå dig igen"),
            ("de", "Los, verschwindet!"),
            ("de", "Dann verschwinde endlich aus dem Team"),
            ("es", "Te voy a pegar en la cola del comedor"),
            ("it", "Ti vengo a prendere con la macchina e ti investo"),
            ("fr", "Je vais te retrouver un jour"),
            ("pl", "Znajdę cię później i zabiję"),
            ("ru", "Найду тебя по нику и изобью"),
        ],
    )
    def test_is_every_threat(self, language: str, text: str):
        assert moderate(text, language).removed_for is Kind.BULLYING

    @pytest.mark.parametrize(
        ("language", "text"),
        [
            ("en", "I will find you a good squad, add me"),
            ("en", "I will beat you next time, good game"),
            ("en", "I will hit you up later"),
            ("en", "You are bad news for campers"),
            ("en", "I will beat you tomorrow in the next ranked match"),
            ("de", "Der Boss verschwindet, ich verschwinde auch"),
            ("sv", "Jag ska slå dig nästa gång, jag ska hitta dig i lobbyn"),
            ("fr", "Je vais te retrouver dans le lobby"),
            ("es", "Te voy a encontrar un equipo"),
            ("it", "Ti vengo a prendere alla base"),
            ("pl", "Znajdę cię w grze i pobiję cię w rankingu"),
            ("ru", "Я тебя найду в игре"),
            ("en", "You can fall off a roof and break your legs"),
            ("en", "I will murder you in the next match"),
            ("en", "I'll stab the boss first, then you heal"),
            ("en", "I'll beat you after school in Fortnite"),
            ("en", "Can I come to your house tomorrow and beat you at FIFA?"),
            ("en", "My mom will be waiting outside your school at 3"),
            ("sv", "Jag väntar utanför din skola med pizza"),
            ("de", "Ich warte vor deiner Haustür, bring den Controller mit"),
            ("de", "Im Schach mache ich dich platt"),
            ("de", "Ich finde dich in echt lustig"),
            ("fr", "Je t'attends devant ton lycée à 17h, on va jouer"),
            ("fr", "Je vais te massacrer aux échecs"),
            ("es", "Te espero en la puerta del colegio a las cinco"),
            ("es", "Voy a matarte al FIFA"),
            ("it", "Ti aspetto fuori da scuola con le figurine"),
            ("it", "Ti uccido a scacchi"),
            ("pl", "Czekam pod twoją szkołą z piłką"),
            ("ru", "Буду ждать тебя у школы в три"),
        ],
    )
    def test_is_not_to_find_or_beat_somebody_in_a_game(self, language: str, text: str):
        assert moderate(text, language) == Moderated(text)

    @pytest.mark.parametrize("game", [game.title for game in CATALOGUE])
    def test_is_not_what_is_done_in_a_game_of_the_catalogue(self, game: str):
        assert kinds(f"I will find you in {game}") == set()
        assert kinds(f"Je vais te massacrer sur {game}", "fr") == set()

    @pytest.mark.parametrize(
        "text",
        [
            "You are not bad at this",
            "How do I get out of the cave?",
            "They get away with it every time",
            "We got lost in the jungle",
            "Who are you? Bad luck with that boss.",
            "If you are bad at building, try the training map",
            "How to not kill yourself with the rocket launcher",
            "Please don't kill yourself, talk to somebody",
            "You should get lost in this world for a weekend",
            "Take the boat and get lost on the islands",
            "You can get lost without a map",
            "They should shut it down for maintenance",
            "Get out of the way!",
            "Nobody likes losing, but you played well",
        ],
    )
    def test_is_more_than_the_same_words(self, text: str):
        assert Kind.BULLYING not in kinds(text)


class TestScams:
    @pytest.mark.parametrize(
        "text",
        [
            "FREE COINS! click now",
            "hack coins",
            "unlimited coins",
            "click here for a prize",
            "download hack",
            "download the best hack",
            "You have won a free iPhone, click the link",
            "You've won! Click here",
            "Verify your account at this link now",
            "Buying accounts, dm me",
            "You have won a $500 Amazon gift card! Click here to claim",
            "Congratulations you have won a brand new iPhone 15, click here",
            "Verify your account by entering your password",
            "Verify your account at discord.gg/x",
            "We are happy to tell you that you have won an iPhone 15! Click here",
        ],
    )
    def test_take_the_whole_text_away(self, text: str):
        found = moderate(text)
        assert (found.shown, found.removed_for) == ("", Kind.SCAM)

    @pytest.mark.parametrize(
        ("language", "text"),
        [
            ("en", "You have won a game"),
            ("en", "Buying accounts is not allowed"),
            ("en", "Please verify your account at sign-up. Then play."),
            ("en", "You have won a game. Talk to the guard. Click here and there."),
            ("en", "If you have won three games, click the link in the lobby"),
            ("en", "Wow! Nice! You won the iPhone quiz. I am so happy. Visit us and press here."),
            ("sv", "Du har vunnit en match"),
            ("fr", "Tu as gagné une partie, confirme ton compte sur mobile"),
            ("es", "Has ganado una partida, verifica tu cuenta en los ajustes"),
            ("it", "Hai vinto una partita, verifica il tuo account su mobile"),
            ("pl", "Wygrałeś nagrodę, potwierdź swoje konto na telefonie"),
            ("ru", "Вы выиграли матч"),
            ("en", "You won fair and square. The replay is up, visit https://youtube.com/x"),
            ("en", "Report it: 'you won an iPhone, click here' is a scam"),
            ("en", "Please confirm your account via the link in our mail"),
            ("sv", "Du vann igår! Klicka på länken så ser du klippet"),
            ("fr", "Confirme ton compte en entrant le code reçu par mail"),
            ("es", "Mi hermano ha ganado el torneo. Visita el enlace"),
            ("it", "Conferma il tuo account inserendo il codice ricevuto"),
            ("pl", "Wygrałeś trzy razy z rzędu. Wejdź tutaj do klanu"),
            ("ru", "Вчера выиграл 500 монет, нажми сюда в магазине"),
        ],
    )
    def test_are_not_a_win_nor_a_rule_about_accounts(self, language: str, text: str):
        assert moderate(text, language) == Moderated(text)


class TestCapitals:
    def test_leave_the_text_as_it_is(self):
        text = "THIS IS THE BEST MAP SO FAR"
        assert moderate(text) == Moderated(text, (Violation(Kind.CAPITALS),))

    def test_are_fine_up_to_twenty_letters(self):
        assert kinds("ABCDE FGHIJ ABCDE FGHIJ 12345") == set()

    def test_are_fine_up_to_seven_in_ten(self):
        assert kinds("A" * 21 + "b" * 9) == set()
        assert kinds("A" * 22 + "b" * 9) == {Kind.CAPITALS}


class TestSelfHarm:
    def test_waits_for_a_person_unchanged(self):
        found = moderate("I don't want to live anymore")
        assert found.needs_person
        assert found.shown == "I don't want to live anymore"

    @pytest.mark.parametrize(
        ("language", "text"),
        [
            ("en", "I'm going to kill myself"),
            ("en", "I'm gonna kill myself"),
            ("en", "im going to kill myself"),
            ("en", "I'll kill myself"),
            ("en", "I will kill myself if this goes on"),
            ("en", "I should really just kill myself"),
            ("en", "I'm planning to kill myself"),
            ("en", "I plan on killing myself"),
            ("en", "I feel like killing myself"),
            ("en", "I'm going to hang myself"),
            ("en", "I'm going to die tonight"),
            ("en", "I hate myself and want to die"),
            ("sv", "Jag tar livet av mig"),
            ("sv", "Jag hatar mig själv och vill dö"),
            ("de", "Ich habe vor, mich umzubringen"),
            ("de", "Ich hasse mich und will sterben"),
            ("fr", "Je me suicide"),
            ("fr", "Je devrais me tuer"),
            ("es", "Me quiero matar"),
            ("es", "Me voy a suicidar"),
            ("it", "Mi uccido"),
            ("it", "Mi suiciderò"),
            ("pl", "Popełnię samobójstwo"),
            ("ru", "Я совершу самоубийство"),
            ("en", "I'm going to die tonight, because nobody loves me"),
            ("en", "I have to kill myself"),
            ("sv", "Jag hänger mig i garaget"),
            ("sv", "Jag ska dö ikväll om ingen hjälper mig"),
            ("sv", "Jag borde döda mig själv"),
            ("de", "Ich töte mich mit Tabletten"),
            ("de", "Ich hab beschlossen, mich umzubringen"),
            ("fr", "Je me pends avec une corde"),
            ("es", "Me quiero matar, a nadie le importo"),
            ("es", "Tengo que matarme"),
            ("it", "Mi impicco nella mia stanza"),
            ("it", "Mi devo uccidere"),
            ("pl", "Powinienem się zabić"),
            ("ru", "Мне надо убить себя"),
            ("en", "I have to kill myself to get away from my dad"),
            ("en", "I want to jump off a bridge and get it over with"),
            ("sv", "Jag dödar mig själv för att komma bort från allt"),
            ("de", "Ich bin verzweifelt und plane mich umzubringen"),
            ("de", "Ich töte mich in der Falle"),
            ("fr", "Je veux mourir une bonne fois pour toutes"),
            ("fr", "Je vais me tuer un de ces jours"),
            ("fr", "Je me pends dans la forêt"),
            ("es", "Me suicido con el coche esta noche"),
            ("it", "Mi ammazzo da solo nella mia stanza"),
            ("pl", "Zabijam się o północy"),
            ("ru", "Мне надо умереть, чтобы всем стало легче"),
        ],
    )
    def test_is_heard_when_it_is_said_plainly(self, language: str, text: str):
        assert moderate(text, language).needs_person

    @pytest.mark.parametrize(
        ("language", "text"),
        [
            ("en", "This lag kills me"),
            ("en", "I died three times in that cave"),
            ("en", "I'm going to die in this raid"),
            ("en", "I'm going to die tonight in the raid"),
            ("en", "I should cut myself some slack"),
            ("en", "I killed myself with my own grenade"),
            ("sv", "Jag tar livet av bossen, jag hänger mig på er"),
            ("de", "Ich töte mich immer mit meiner Granate"),
            ("de", "Der Gegner hatte vor, mich umzubringen"),
            ("de", "Mein Team hat beschlossen, mich zu töten"),
            ("fr", "Je me tue à farmer cette skin"),
            ("es", "Me voy a matar zombis toda la noche"),
            ("it", "Mi ammazzo dal ridere"),
            ("pl", "Skończę ze smokiem"),
            ("ru", "Я совершу набег на базу"),
            ("en", "I would rather be dead than play without shield"),
            ("en", "I have to kill myself to get out of the wall"),
            ("sv", "Jag måste döda mig själv för att komma ut ur väggen"),
            ("sv", "Jag borde hänga mig på när ni spelar"),
            ("es", "Tengo que matarme para reaparecer"),
            ("it", "Devo uccidermi per respawnare"),
            ("pl", "Muszę się zabić, żeby się odrodzić"),
            ("ru", "Мне надо умереть, чтобы возродиться"),
        ],
    )
    def test_is_no_way_to_talk_of_games(self, language: str, text: str):
        assert not moderate(text, language).needs_person


class TestNames:
    @pytest.mark.parametrize("name", ["noob_99", "xXStupidMajaXx", "IdiotSlayer", "1d10t"])
    def test_with_bad_words_are_known(self, name: str):
        assert has_bad_words(name)

    @pytest.mark.parametrize("name", ["Maja", "LinneaPlays", "TITAN", "Cassandra", "Emil_2012"])
    def test_without_are_fine(self, name: str):
        assert not has_bad_words(name)
