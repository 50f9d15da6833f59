"""What the made-up venues of the demonstration are about: titles of papers, and names of people. Nobody wrote them."""

WORKSHOP_TITLES = (
    "Hedgehogs and the hour of the bin lorry",
    "A census of lichens on bridges",
    "Where do city foxes sleep?",
    "Cooling a street with climbing plants",
    "Bats above ring roads",
    "Rain barrels and the midges in them",
    "Counting bees with cheap microphones",
    "Old cemeteries as seed banks",
    "Does birdsong rise with the traffic?",
    "Mushrooms under tram tracks",
    "Ten winters of gulls on one roof",
    "Snails on the wrong side of the road",
    "Green walls that nobody waters",
    "What squirrels forget in parks",
    "Moths and the colour of street lamps",
    "A map of shade for old people",
    "Earthworms in flower pots",
    "Ducks that stay all winter",
    "Soil below artificial grass",
    "Ant highways along kerbs",
    "Nest boxes, twenty years on",
    "The smell of wet asphalt and the toads",
    "Weeds as a record of past gardens",
    "Who eats the balcony tomatoes?",
)
CONFERENCE_TITLES = (
    *("Sorting what is almost sorted", "A proof without the second lemma", "Caches that admit defeat"),
    *("Fair queues for unfair clocks", "Small models, long memories", "How many tests are enough?"),
    *("Reading other people's logs", "Random walks with a limp", "Maps that forget streets"),
    *("A slower and simpler hash", "Learning to stop early", "Two keys, three locks"),
    *("Compilers that explain themselves", "The cost of one more copy", "Spreadsheets as programs"),
    *("When averages lie politely", "Trees that heal", "Secrets in the margin"),
    *("Guessing the size of a file", "What users undo", "Voting with broken ballots"),
    *("A language for timetables", "Noise that keeps a promise", "Searching by half a word"),
    *("Robots that ask the way", "Errors in error messages", "Packing boxes of unknown size"),
    *("Clocks in a crowd", "Privacy after a merger", "Proofs you can run"),
    *("The second-best route", "Graphs with a grudge", "Counting without numbers"),
    *("Speech for noisy kitchens", "A database of questions", "Lazy updates, honest answers"),
    *("Colour names in forty languages", "Typing on a moving train", "Rules that outlive their makers"),
    *("Bounds for impatient people", "One bit of advice", "Forgetting on purpose"),
    *("Schedules for night shifts", "Pictures of large numbers", "Trust, but not twice"),
    *("Coins with three sides", "Reviewing the reviewers", "A kernel in a teacup"),
    *("Summaries that say no", "Backing up a conversation", "Patterns in parking"),
    *("Cheap sensors, dear mistakes", "Markets for spare minutes", "A game that nobody wins"),
    *("Sampling rare events", "Keyboards for one hand", "Merging what disagrees"),
    *("The last mile of a proof", "Learning from refunds", "Doors that count people"),
)
FIRST_NAMES = (
    *("Ada", "Bo", "Carmen", "Dele", "Eva", "Farid", "Grace", "Hugo", "Ines", "Jun"),
    *("Kofi", "Lea", "Mina", "Nils", "Olga", "Pia", "Quentin", "Rosa", "Samir", "Tove"),
)
LAST_NAMES = (
    *("Abel", "Berg", "Castro", "Dahl", "Ekwueme", "Fischer", "Gallo", "Hill", "Ito", "Jansen", "Kaya", "Lund"),
    *("Mensah", "Novak", "Okoro", "Park", "Quist", "Roy", "Sato", "Torres", "Ueda", "Vidal", "Weber"),
)


def person(number: int) -> str:
    """The name of a made-up reviewer; the first 460 are different people.

    >>> person(1), person(2), person(21)
    ('Ada Abel', 'Bo Hill', 'Ada Castro')
    """
    at = number - 1
    return f"{FIRST_NAMES[at % len(FIRST_NAMES)]} {LAST_NAMES[7 * at % len(LAST_NAMES)]}"


def address(name: str) -> str:
    """Their e-mail address, at a name that belongs to nobody.

    >>> address("Ada Abel")
    'ada.abel@example.org'
    """
    return f"{name.replace(' ', '.').lower()}@example.org"
