"""What the people of the demo talk about, each in their own language. Data only."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

MINUTES = timedelta(minutes=1)
HOURS = timedelta(hours=1)
DAYS = timedelta(days=1)
THE_PLAYER = "pixelpilot"
THE_MODERATOR = "fairreferee"
"""Who tries the app out as the demo's player, and as its moderator."""


@dataclass(frozen=True, slots=True)
class Said:
    """A reply, so long after its topic."""

    who: str
    text: str
    after: timedelta


@dataclass(frozen=True, slots=True)
class Topic:
    who: str
    language: str
    category: str
    title: str
    text: str
    ago: timedelta
    likes: int = 0
    replies: Sequence[Said] = field(default_factory=tuple)


TALK = (
    Topic(
        "demo_novafalke",
        "de",
        "apex",
        "Welche Sensitivität spielt ihr am Controller?",
        "Ich spiele seit Jahren 4-3 linear und komme auf kurze Distanz einfach nicht mehr mit. "
        "Jetzt teste ich 5-4, aber auf Entfernung zittert alles. Was spielt ihr, und wie lange "
        "habt ihr gebraucht, bis es saß?",
        6 * DAYS + 5 * HOURS,
        11,
        (
            Said(
                "demo_kaffeepause",
                "4-4 klassisch, seit Season 9 nichts mehr angefasst. Zwei Wochen Schießstand "
                "jeden Abend zehn Minuten, danach ging es von selbst.",
                50 * MINUTES,
            ),
            Said(
                "demo_lunarox",
                "Same story here: I went back to 4-3 after a month. Range drills helped more "
                "than the numbers.",
                7 * HOURS,
            ),
        ),
    ),
    Topic(
        "demo_zimnywilk",
        "pl",
        "minecraft",
        "Farma żelaza – jakie projekty sprawdziły się u was?",
        "Gramy we trójkę na zwykłym serwerze bez modów. Mamy trzy wioski obok siebie, ale golemy "
        "pojawiają się, gdzie chcą. Szukam czegoś prostego, co działa po ostatniej aktualizacji.",
        5 * DAYS + 9 * HOURS,
        8,
        (
            Said(
                "demo_bytebjorn",
                "We use the classic one with three villagers and a zombie in a minecart. About "
                "300 iron an hour, takes an evening to build.",
                3 * HOURS,
            ),
            Said(
                "demo_zimnywilk",
                "Dzięki! Spróbujemy w weekend i napiszę, ile wyszło.",
                4 * HOURS,
            ),
        ),
    ),
    Topic(
        "demo_reinasombra",
        "es",
        "roblox",
        "¿A qué jugáis en Roblox con hermanos pequeños?",
        "Mi hermano tiene ocho años y quiere jugar conmigo los domingos. Busco algo cooperativo, "
        "sin sustos y que no le pida comprar cosas cada dos minutos.",
        4 * DAYS + 14 * HOURS,
        14,
        (
            Said(
                "demo_lupoveloce",
                "Noi giochiamo agli obby a squadre: si ride tanto e ogni partita dura poco.",
                90 * MINUTES,
            ),
            Said(
                "demo_craftqueen",
                "Build a boat! My little cousin loves it and you can play for hours without "
                "buying anything.",
                6 * HOURS,
            ),
            Said("demo_reinasombra", "¡Probamos lo del barco y le encantó, gracias!", 2 * DAYS),
        ),
    ),
    Topic(
        "demo_pixelrenard",
        "fr",
        "fortnite",
        "Où atterrir en solo quand on débute ?",
        "Je reprends après deux ans de pause et je meurs dans les trente premières secondes. Vous "
        "avez un coin tranquille avec assez de coffres pour commencer ?",
        3 * DAYS + 20 * HOURS,
        9,
        (
            Said(
                "demo_lunarox",
                "Pick the small houses at the edge of the map, two chests are enough. You have "
                "time until the second circle.",
                35 * MINUTES,
            ),
            Said(
                "demo_pixelrenard",
                "Merci, premier top 10 hier soir grâce à ça !",
                26 * HOURS,
            ),
        ),
    ),
    Topic(
        "demo_bytebjorn",
        "sv",
        "minecraft",
        "Vår vinterserver är öppen – alla är välkomna",
        "Vi är ett gäng på nio som bygger en hel by i snön: kyrka, hamn och en alldeles för stor "
        "bastu. Inga moddar, inga krav, bara trevlig stämning. Säg till här om du vill vara med, "
        "så får du adressen.",
        3 * DAYS + 2 * HOURS,
        27,
        (
            Said("demo_skogsraven", "Bastun såldes in direkt. Jag är med!", 20 * MINUTES),
            Said(
                "demo_novafalke",
                "Nehmt ihr auch jemanden, der nur Häfen bauen kann? Darin bin ich wirklich gut.",
                2 * HOURS,
            ),
            Said(
                "demo_bytebjorn",
                "Absolut, hamnen behöver all hjälp den kan få. @demo_novafalke är anlitad.",
                3 * HOURS,
            ),
            Said(THE_PLAYER, "Count me in, I bring the boats.", 5 * HOURS),
        ),
    ),
    Topic(
        "demo_tihiylis",
        "ru",
        "general",
        "Кто во что играет этой зимой?",
        "Сессия закончилась, впереди две недели свободы. Посоветуйте что-нибудь спокойное на вечер "
        "и что-нибудь весёлое на четверых.",
        2 * DAYS + 16 * HOURS,
        7,
        (
            Said(
                "demo_zimnywilk",
                "Na czworo: Overcooked. Przyjaźń wystawiona na próbę, ale śmiechu co niemiara.",
                4 * HOURS,
            ),
            Said(
                "demo_tihiylis",
                "Попробовали. Кухня сгорела три раза, все довольны.",
                30 * HOURS,
            ),
        ),
    ),
    Topic(
        "demo_craftqueen",
        "en",
        "general",
        "What I spent my first 400 coins on",
        "Three weeks of a few ads after school, and yesterday I took 400 kr off a V-Bucks pack. "
        "The code was there before the page had finished celebrating. What are you saving for?",
        2 * DAYS + 3 * HOURS,
        23,
        (
            Said(
                "demo_lupoveloce",
                "Io metto da parte per i FIFA Points, mancano ancora 120 monete.",
                45 * MINUTES,
            ),
            Said("demo_dropzonedan", "Apex Coins. One heirloom at a time…", 2 * HOURS),
            Said(
                "demo_kaffeepause",
                "Ich spare auf nichts und habe gerade gemerkt, dass ich 900 habe. Auch schön.",
                9 * HOURS,
            ),
        ),
    ),
    Topic(
        "demo_lupoveloce",
        "it",
        "general",
        "Quanto tempo ci mettete per arrivare a 1000 monete?",
        "Io guardo dieci video a colazione e dieci prima di dormire, quindi circa tre o quattro "
        "giorni. Mi interessa come vi organizzate voi, soprattutto chi ha una serie lunga.",
        1 * DAYS + 19 * HOURS,
        12,
        (
            Said(
                "demo_novafalke",
                "31 Tage am Stück: immer direkt nach dem Zähneputzen, dann vergisst man es nie.",
                3 * HOURS,
            ),
        ),
    ),
    Topic(
        "demo_dropzonedan",
        "en",
        "apex",
        "Solo queue is garbage tonight",
        "Four matches, four teammates who left in the first minute. Anybody up for a few rounds "
        "who stays until the end? Gold rank, calm voice, snacks.",
        1 * DAYS + 4 * HOURS,
        6,
        (
            Said(
                "demo_visitor",
                "you are stupid, uninstall and get lost",
                12 * MINUTES,
            ),
            Said("demo_lunarox", "I'm on until eleven, send me an invite.", 25 * MINUTES),
            Said("demo_dropzonedan", "Sent. And thanks, that was a nice win!", 3 * HOURS),
        ),
    ),
    Topic(
        "demo_visitor",
        "en",
        "roblox",
        "Unlimited Robux, works today",
        "Click here for the generator, unlimited coins in two minutes, no password needed!",
        20 * HOURS,
    ),
    Topic(
        "demo_craftqueen",
        "en",
        "roblox",
        "Careful with pages that ask for your password",
        "Somebody sent me a page that wants my Roblox password before it shows anything. I closed "
        "it and reported the post. Has anybody else seen it?",
        19 * HOURS + 30 * MINUTES,
        4,
        (
            Said(
                "demo_lunarox",
                "Yes, the same one. Please never type your password anywhere for something like "
                "this.",
                6 * MINUTES,
            ),
            Said(
                THE_MODERATOR,
                "Thanks for the reports. Nobody gives coins away for a click, and nobody here "
                "will ever ask for your password.",
                30 * MINUTES,
            ),
        ),
    ),
    Topic(
        "demo_skogsraven",
        "sv",
        "fortnite",
        "HUR HITTAR MAN DEN SISTA KISTAN I VECKANS UPPDRAG",
        "Jag har letat i två timmar runt vattenfallet. Fem av sex är klara, den sjätte hörs men "
        "syns inte. Är den under marken?",
        9 * HOURS,
        4,
        (
            Said(
                "demo_bytebjorn",
                "Gå bakom vattenfallet och hugg sönder stenväggen till vänster. Tog mig också en "
                "hel kväll.",
                40 * MINUTES,
            ),
        ),
    ),
    Topic(
        THE_PLAYER,
        "en",
        "minecraft",
        "Show your first house",
        "Mine is still standing after four years: seven planks wide, no windows, a bed and a "
        "furnace. I could never tear it down. Tell us about yours!",
        5 * HOURS,
        5,
        (
            Said(
                "demo_lunarox",
                "A hole in a hill with a door. I called it a castle.",
                18 * MINUTES,
            ),
            Said(
                "demo_pixelrenard",
                "@pixelpilot une cabane dans un arbre, brûlée par ma propre lampe le premier soir.",
                2 * HOURS,
            ),
        ),
    ),
    Topic(
        "demo_lunarox",
        "en",
        "fortnite",
        "Zero Build or classic for a squad of three?",
        "Two of us build, one hates it and calls us terrible architects. We want to play together "
        "on Friday. Which mode would you choose, and why?",
        2 * HOURS,
        10,
        (
            Said(
                "demo_reinasombra",
                "Sin construcción, sin duda: se juega más de cerca y nadie se queda atrás.",
                9 * MINUTES,
            ),
            Said(
                "demo_skogsraven",
                "Zero Build till fredag, bygga kan ni göra på lördag. @pixelpilot brukar vara med "
                "då, eller hur?",
                55 * MINUTES,
            ),
        ),
    ),
)
