### Les phrases du service lui-même : ce qu'il refuse, et pourquoi. Celles d'un jeu sont dans le dossier de ce jeu.

## Listes

list-comma = { $rest }, { $item }
list-and = { $rest } et { $item }

## Problèmes : un titre, puis ce qu'on peut faire

error-malformed = La demande est mal écrite
error-malformed-detail = Il y manque quelque chose, ou quelque chose n'a pas la bonne forme. Compare-la avec la description de l'API, puis renvoie-la.
error-bad-cursor = Il n'y a rien à cet endroit
error-bad-cursor-detail = Cette liste ou cette partie ne va pas jusque-là. Repars du début.
error-unauthenticated = Tu n'es pas connecté
error-unauthenticated-detail = Il faut être un joueur. Connecte-toi, ou entre comme invité, et envoie ton jeton d'accès.
error-invalid-token = Ta connexion n'est plus valable
error-invalid-token-detail = Le jeton a expiré, a été déconnecté ou ne vient pas de nous. Renouvelle-le ou reconnecte-toi.
error-not-seated = Tu n'as pas de place dans cette partie
error-not-seated-detail = Seuls ceux qui sont assis à la table peuvent faire cela. Prends une place libre avant le début de la partie.
error-not-host = Ce n'est pas toi qui organises
error-not-host-detail = Seule la personne qui organise la partie peut faire cela. Demande-lui.
error-not-found = Il n'y a rien ici
error-not-found-detail = Cela n'existe pas, ou tu n'as pas le droit de le voir. Vérifie l'adresse.
error-method-not-allowed = On ne peut pas faire cela ici
error-method-not-allowed-detail = Cette adresse existe, mais pas avec cette méthode. L'en-tête Allow dit lesquelles elle connaît.
error-illegal-move = Ce coup est contraire aux règles
error-illegal-move-detail = Choisis un des coups permis.
error-not-your-turn = Ce n'est pas ton tour
error-not-your-turn-detail = On attend quelqu'un d'autre, ou tu as déjà choisi. Attends les autres.
error-game-over = La partie est finie
error-game-over-detail = Il ne peut plus rien s'y passer. Regarde-la de nouveau, ou demande une revanche.
error-not-started = La partie n'a pas encore commencé
error-not-started-detail = On est encore en train de s'asseoir. La personne qui organise lance la partie quand toutes les places sont prises.
error-already-started = La partie a déjà commencé
error-already-started-detail = Cela ne se fait qu'avant le début. Une partie commencée se joue, se regarde ou s'abandonne.
error-seats-free = Il manque encore des joueurs
error-seats-free-detail = Il reste des places libres. Attendez d'autres joueurs, ou diminuez le nombre de places.
error-not-over = La partie n'est pas encore finie
error-not-over-detail = Cela n'existe qu'une fois la partie terminée ou abandonnée.
error-not-late = Personne n'est en retard
error-not-late-detail = Attendez que l'heure limite de la partie soit passée. Sans heure limite, on attend le temps qu'il faut.
error-version-conflict = La partie a avancé
error-version-conflict-detail = Il s'est passé quelque chose depuis ton dernier coup d'œil. Regarde où en est la partie, puis décide de nouveau.
error-seat-taken = Cette place n'est pas libre
error-seat-taken-detail = Quelqu'un a été plus rapide, la place est gardée pour quelqu'un d'autre, ou la partie a commencé. Choisis une autre place ou une autre partie.
error-already-seated = Tu as déjà une place
error-already-seated-detail = C'est une seule place par joueur et par partie. Lève-toi d'abord si tu en veux une autre.
error-limit-reached = Il ne peut pas y en avoir plus
error-limit-reached-detail = Toi, ou cette partie, en avez déjà autant que permis. Termine ou quitte d'abord quelque chose.
error-request-timeout = C'était trop long à arriver
error-request-timeout-detail = Nous n'avons pas reçu toute la demande à temps. Envoie-la de nouveau.
error-payload-too-large = C'est trop à la fois
error-payload-too-large-detail = La demande est plus grosse que ce que nous acceptons. Envoie moins de choses.
error-unsupported-media-type = Nous ne savons pas lire ce format
error-unsupported-media-type-detail = Envoie du JSON, avec l'en-tête Content-Type: application/json.
error-invalid-options = On ne peut pas préparer la partie comme cela
error-invalid-options-detail = Les options ou le nombre de places ne vont pas avec ce jeu. Sa page dans le catalogue dit ce qui va.
error-idempotency-mismatch = Cette clé appartient à une autre demande
error-idempotency-mismatch-detail = La même Idempotency-Key a déjà servi pour autre chose. Prends une nouvelle clé pour une nouvelle demande.
error-rate-limited = Tu vas trop vite
error-rate-limited-detail = Ton budget est épuisé pour l'instant : l'en-tête Retry-After dit dans combien de secondes tu peux redemander.
error-unavailable = Nous ne pouvons pas répondre pour le moment
error-unavailable-detail = C'est notre faute, pas la tienne. Réessaie dans un petit moment ; une demande avec une Idempotency-Key peut être répétée sans risque.
error-username-taken = Cet identifiant est déjà pris
error-username-taken-detail = Quelqu'un d'autre l'a choisi, peut-être avec d'autres majuscules. Choisis-en un autre.

## Joueurs

player-display-name-length = Un nom a de { $min } à { $max } caractères, dont au moins un qui se voit.
player-display-name-characters = Un nom ne peut pas contenir de retours à la ligne ni de caractères qui retournent le texte.
player-username-length = Un identifiant a de { $min } à { $max } caractères.
player-username-characters = Un identifiant est fait de lettres de A à Z sans accent, de chiffres, de points, de tirets et de tirets bas.
player-username-needed = Pour avoir un compte, il te faut aussi un identifiant.
player-password-length = Un mot de passe a de { $min } à { $max } caractères.
player-password-needed = Pour avoir un compte, il te faut aussi un mot de passe.
player-current-password-needed = Donne aussi ton mot de passe actuel, pour que personne d'autre que toi ne puisse changer cela.
player-current-password-wrong = Ce n'est pas ton mot de passe actuel.
player-bad-credentials = Cet identifiant et ce mot de passe ne vont pas ensemble. Vérifie les deux, puis réessaie.
player-password-not-allowed = Ton compte appartient à { $issuer } : connecte-toi là-bas. Ici, il ne peut avoir ni identifiant ni mot de passe.
player-bad-refresh-token = Ce jeton de renouvellement a expiré, a été déconnecté ou a déjà servi. Reconnecte-toi.
player-former = un ancien joueur
player-unknown = Ce joueur n'existe pas, ou n'existe plus.

## Parties

game-options-unreadable = Ces options ne vont pas. { $why }
game-seats-out-of-range = { $seats ->
    [one] { $seats } place, ce n'est pas possible : ce jeu se joue de { $least } à { $most }.
   *[other] { $seats } places, ce n'est pas possible : ce jeu se joue de { $least } à { $most }.
}
game-no-such-kind = Ce jeu n'existe pas ici. Choisis l'un de ceux-ci : { $known }.
game-no-such-move = Aucun coup ne s'écrit ainsi. Recopiez l'identifiant d'un coup permis.
game-already-resigned = Vous avez abandonné cette partie.
game-no-such-time-zone = Le fuseau horaire { $zone } n'existe pas. Donne un nom de la base IANA, comme Europe/Paris.
game-nothing-to-choose = Dans ce jeu, il n'y a rien à choisir avant le début.
game-no-such-aside = Ce jeu n'a rien de tel en dehors des coups.
game-step-too-long = C'est plus qu'une étape ne peut contenir ({ $most } octets). Fais plus court, sans répétitions.
game-unprepared = Le début n'a pas pu être préparé à temps. Réessaie dans un instant, ou change les options.
game-cap-hosted-lobbies = { $most ->
    [one] Tu as déjà créé une partie qui n'a pas commencé. Commence-la ou quitte-la d'abord.
   *[other] Tu as déjà créé { $most } parties qui n'ont pas commencé. Commences-en une ou quitte-la d'abord.
}
game-cap-open-games = { $most ->
    [one] Tu participes déjà à une partie en cours. Termine-la ou quitte-la d'abord.
   *[other] Tu participes déjà à { $most } parties en cours. Termines-en une ou quitte-la d'abord.
}
game-cap-invited-players = { $most ->
    [one] Un joueur a déjà été invité dans cette partie. L'hôte peut en créer une nouvelle.
   *[other] { $most } joueurs ont déjà été invités dans cette partie. L'hôte peut en créer une nouvelle.
}
game-cap-lobby-steps = { $most ->
    [one] Cette salle d'attente a connu un changement. Commence la partie, ou crées-en une nouvelle.
   *[other] Cette salle d'attente a connu { $most } changements. Commence la partie, ou crées-en une nouvelle.
}
game-cap-steps-with-asides = { $most ->
    [one] Cette partie a connu une étape : elle n'accepte plus que des coups.
   *[other] Cette partie a connu { $most } étapes : elle n'accepte plus que des coups.
}
game-cap-steps = { $most ->
    [one] Cette partie a connu une étape, le maximum pour une partie. Tu peux encore abandonner.
   *[other] Cette partie a connu { $most } étapes, le maximum pour une partie. Tu peux encore abandonner.
}

## Requêtes

request-field-missing = Il manque le champ { $field } dans la requête.
request-field-unknown = La requête a un champ { $field }, qui est inconnu. On connaît ici : { $known }.
request-field-repeated = La requête a { $field } plusieurs fois. Ne l'envoyez qu'une fois.
request-field-range = Dans la requête, { $field } prend un nombre entier de { $least } à { $most }.
request-field-number = Dans la requête, { $field } prend un nombre.
request-field-text = Dans la requête, { $field } prend un texte.
request-field-boolean = Dans la requête, { $field } prend true ou false.
request-field-list = Dans la requête, { $field } prend une liste.
request-field-object = Dans la requête, { $field } prend un objet JSON.
request-field-value = Dans la requête, { $field } prend l'une de ces valeurs : { $known }.
request-field-described = Dans la requête, { $field } n'a pas la forme que donne la description de l'API.
request-whole = l'ensemble
request-name = { $name }
request-json = La requête n'est pas du JSON : l'erreur est à la ligne { $line }, colonne { $column }.
request-json-empty = La requête n'a pas de corps. Envoyez un objet JSON.
request-json-cut-short = La requête n'est pas du JSON : elle s'arrête trop tôt.
request-body-broken-off = Le corps de la requête s'est interrompu. Envoyez-le de nouveau.
request-query-string = Les paramètres de l'adresse sont illisibles. Écrivez-les nom=valeur, séparés par &, en UTF-8 avec des codes %.
request-move-one-of-two = Un coup se donne par son id ou se détaille dans move : envoyez l'un des deux.
request-moves-or-one = Envoyez un seul coup, ou plusieurs dans moves, pas les deux.
request-moves-length = Envoyez un seul coup, ou de 1 à { $most } dans moves.
request-idempotency-key = Une clé d'idempotence est une seule valeur de 1 à { $most } caractères ASCII visibles.
request-credentials = Envoyez username et password, ou un refreshToken.
request-seed = Une graine a 64 chiffres hexadécimaux.
request-seed-refused = Seul un serveur lancé avec --dev accepte une graine. Ne l'envoyez pas.
request-options-of-another-kind = Ce sont des options de { $of }, et la partie est de { $kind }. Envoyez celles de { $kind }.
request-replay-commitment = L'engagement de la partie rejouée ne correspond pas à sa graine.
request-replay-beginning = La partie rejouée ne commence pas par sa création.
request-replay-players = La partie rejouée a plus de joueurs que ceux qui sont donnés.
request-replay-version = La partie rejouée n'a aucune étape jusqu'à cette version.
request-query-missing = La requête n'a pas de document. Envoyez-le dans query.
request-hash = sha256Hash prend 64 chiffres hexadécimaux.
request-batch-empty = Un lot a au moins une requête.
request-batch-streamed = Un flux répond à une seule requête. Envoyez un lot avec l'en-tête Accept: application/json.
request-socket-origin = On ne peut pas ouvrir de socket depuis cette origine. Demandez à l'exploitant du serveur de la permettre.
request-socket-handshake = Ce n'est pas une ouverture de WebSocket (RFC 6455, version 13).
request-host-missing = La requête ne nomme aucun hôte. Envoyez une fois l'en-tête Host, ou :authority en HTTP/2.
request-host-repeated = La requête a plusieurs en-têtes Host. N'en envoyez qu'un.
request-host-contradicted = :authority et l'en-tête Host nomment des hôtes différents. Envoyez le même dans les deux, ou omettez Host.
request-stream-not-accepted = La réponse à un abonnement est un flux. Utilisez un WebSocket, ou envoyez l'en-tête Accept: text/event-stream.
request-not-acceptable = Nous répondons en application/graphql-response+json, application/json et text/event-stream. Acceptez l'un d'eux.

## Documents GraphQL

document-argument = { $argument } prend une valeur du type { $type }.
document-argument-unfit = Un argument ne va pas avec son type. Comparez le document et ses variables au schéma.
document-limit-bytes = Le document a plus de { $most } octets. Demande moins, ou en plusieurs requêtes.
document-limit-tokens = Le document a plus de { $most } mots et signes. Demande moins, ou en plusieurs requêtes.
document-limit-nesting = Le document a plus de { $most } parenthèses les unes dans les autres. Imbrique moins.
document-limit-nodes = Une fois ses fragments développés, le document ou le lot a plus de { $most } champs. Demande moins, ou en plusieurs requêtes.
document-limit-depth = Le document va à plus de { $most } niveaux de profondeur. Demande la partie intérieure dans une requête à part.
document-limit-aliases = Le document a plus de { $most } alias. Demande en plusieurs requêtes.
document-limit-directives = Le document a plus de { $most } directives. Utilises-en moins.
document-limit-variables = Les variables ont plus de { $most } valeurs. Envoyez des listes plus courtes, ou en plusieurs requêtes.
document-limit-complexity = Le document demande plus de { $most } champs, chacun compté autant de fois que ses listes sont longues. Demandez des listes plus courtes, ou moins de champs.
document-limit-cost = Le document coûte { $price } unités de travail, et ton budget n'en contient jamais plus de { $most }. Demande en plusieurs requêtes.
document-limit-batch = { $most ->
    [one] Le lot a plus d'une requête. Envoie-les une par une.
   *[other] Le lot a plus de { $most } requêtes. Envoies-en plusieurs plus petits.
}
document-limit-operations = { $most ->
    [one] Une seule opération va à la fois ici. Termine-la d'abord, ou ouvre un autre socket.
   *[other] Pas plus de { $most } opérations vont en même temps ici. Termines-en d'abord, ou ouvre un autre socket.
}
document-fragment-cycle = Le fragment { $name } se contient lui-même. Retire-le de ce qu'il inclut.
document-operation-unknown = Le document n'a pas d'opération de ce nom. Vérifie operationName.
document-operation-name-needed = Le document a plusieurs opérations. Dis dans operationName laquelle tu veux.
document-subscription-one-field = Un abonnement nomme exactement un champ, hors de tout fragment et sans directive.
document-hash-mismatch = L'empreinte n'est pas le SHA-256 du document. Calcule-la sur le document tel qu'il est envoyé.
document-introspection-disabled = Ce serveur ne dit pas son schéma. Demande-le à son exploitant.
document-not-listed = Ce serveur n'exécute que les documents que son exploitant a listés, et celui-ci n'en est pas.


## Pages

page-problems = Tous les problèmes
page-problems-about = Chaque refus a l'un de ces codes : dans REST le code du problème, dans GraphQL le code d'une erreur (userErrors) ou celui de ses extensions.
page-playground = Bac à sable
page-reference = Référence REST
page-kinds = Jeux
page-absent = Ce serveur a été compilé sans ses pages : installez Node.js 20.19 ou plus récent, avec npm, et recompilez-le avec LUDOTHEQUE_WEB=on dans l'environnement.
