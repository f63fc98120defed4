### Les phrases du service : pourquoi une requête est refusée, et que faire. Celles d'un jeu sont dans le dossier de ce jeu.

## Listes

list-comma = { $rest }, { $item }
list-and = { $rest } et { $item }

## Problèmes : un titre, puis un détail qui dit que faire

error-malformed = La requête est mal formée
error-malformed-detail = Il manque quelque chose dans la requête, ou une partie n'a pas la bonne forme. Comparez-la avec la description de l'API, puis renvoyez-la.
error-bad-cursor = Ce curseur ou cette version n'existe pas
error-bad-cursor-detail = Cette liste ou cette partie n'a pas le curseur ou la version que vous avez envoyés. Repartez du début.
error-unauthenticated = Vous n'êtes pas connecté
error-unauthenticated-detail = Cette requête exige un joueur connecté. Connectez-vous, ou inscrivez-vous comme invité, puis envoyez le jeton d'accès avec la requête.
error-invalid-token = Le jeton n'est pas valable
error-invalid-token-detail = Le jeton a expiré, a été révoqué ou vient d'un émetteur que ce serveur n'accepte pas. Renouvelez-le, ou reconnectez-vous.
error-not-seated = Vous n'avez pas de place dans cette partie
error-not-seated-detail = Seuls les joueurs qui ont une place dans la partie peuvent faire cela. Prenez une place libre avant le début.
error-not-host = Vous n'êtes pas l'hôte de la partie
error-not-host-detail = Seul l'hôte de la partie peut faire cela. Demandez-lui de le faire.
error-not-found = Ressource introuvable
error-not-found-detail = Cela n'existe pas, ou vous n'avez pas le droit de le voir. Vérifiez l'identifiant ou l'adresse.
error-method-not-allowed = Cette méthode n'est pas permise ici
error-method-not-allowed-detail = L'adresse existe, mais n'accepte pas cette méthode. L'en-tête Allow donne la liste des méthodes qu'elle accepte.
error-illegal-move = Ce coup est contraire aux règles
error-illegal-move-detail = Choisissez un des coups permis.
error-not-your-turn = Ce n'est pas votre tour
error-not-your-turn-detail = La partie attend un autre joueur, ou vous avez déjà choisi. Attendez les autres.
error-game-over = La partie est terminée
error-game-over-detail = On ne peut plus y jouer de coups. Récupérez son enregistrement, ou demandez une revanche.
error-not-started = La partie n'a pas encore commencé
error-not-started-detail = La partie est encore dans son salon. L'hôte la lance quand toutes les places sont prises.
error-already-started = La partie a déjà commencé
error-already-started-detail = Cela ne se fait que dans le salon. Dans une partie commencée, vous pouvez jouer, regarder ou abandonner.
error-seats-free = Il reste des places libres
error-seats-free-detail = Une partie commence quand toutes les places sont prises. Attendez d'autres joueurs, ou diminuez le nombre de places.
error-not-over = La partie n'est pas encore terminée
error-not-over-detail = Ce n'est possible qu'une fois la partie terminée ou abandonnée.
error-not-late = Personne n'est en retard
error-not-late-detail = Attendez que l'heure limite de la partie soit passée. Une partie sans heure limite attend le temps qu'il faut.
error-version-conflict = La partie a avancé
error-version-conflict-detail = La partie n'en est plus à la version attendue par la requête. Regardez où elle en est, puis décidez de nouveau.
error-seat-taken = La place n'est pas libre
error-seat-taken-detail = Un autre joueur l'a prise, elle est gardée pour un autre joueur, ou la partie a commencé. Choisissez une autre place ou une autre partie.
error-already-seated = Vous avez déjà une place
error-already-seated-detail = Un joueur ne peut avoir qu'une place dans une partie. Quittez d'abord la vôtre si vous en voulez une autre.
error-limit-reached = Une limite est atteinte
error-limit-reached-detail = Vous avez atteint le maximum permis, ou cette partie l'a atteint. Terminez ou quittez d'abord une partie.
error-request-timeout = La requête a mis trop de temps à arriver
error-request-timeout-detail = Le serveur n'a pas reçu toute la requête à temps. Renvoyez-la.
error-payload-too-large = La requête est trop volumineuse
error-payload-too-large-detail = La requête est plus volumineuse que ce que le serveur accepte. Envoyez moins de données.
error-unsupported-media-type = Ce format n'est pas pris en charge
error-unsupported-media-type-detail = Envoyez du JSON, avec l'en-tête Content-Type: application/json.
error-invalid-options = La partie ne peut pas être préparée ainsi
error-invalid-options-detail = Ce jeu ne se joue pas avec ces options ou ce nombre de places. La description du jeu dit ce qui est possible.
error-idempotency-mismatch = La clé d'idempotence a déjà servi pour une autre requête
error-idempotency-mismatch-detail = La même Idempotency-Key a déjà été envoyée avec une autre requête. Utilisez une nouvelle clé pour chaque nouvelle requête.
error-rate-limited = Trop de requêtes
error-rate-limited-detail = Votre budget de requêtes est épuisé pour l'instant. L'en-tête Retry-After dit dans combien de secondes vous pourrez envoyer la prochaine.
error-unavailable = Le service n'est pas disponible pour le moment
error-unavailable-detail = Le problème vient du serveur, pas de vous. Réessayez dans un moment ; une requête avec une Idempotency-Key peut être répétée sans risque.
error-username-taken = Cet identifiant est déjà pris
error-username-taken-detail = Un autre joueur l'a déjà ; les majuscules ne comptent pas. Choisissez-en un autre.

## Joueurs

player-display-name-length = Un nom doit avoir de { $min } à { $max } caractères, dont au moins un visible.
player-display-name-characters = Un nom ne peut contenir ni retours à la ligne ni caractères qui inversent le sens du texte.
player-username-length = Un identifiant doit avoir de { $min } à { $max } caractères.
player-username-characters = Un identifiant ne peut contenir que des lettres de A à Z sans accent, des chiffres, des points, des tirets et des tirets bas.
player-username-needed = Un compte exige aussi un identifiant.
player-password-length = Un mot de passe doit avoir de { $min } à { $max } caractères.
player-password-needed = Un compte exige aussi un mot de passe.
player-current-password-needed = Envoyez aussi votre mot de passe actuel : un compte en a besoin pour changer d'identifiant ou de mot de passe.
player-current-password-wrong = Ce n'est pas votre mot de passe actuel.
player-bad-credentials = L'identifiant ou le mot de passe est faux. Vérifiez les deux, puis réessayez.
player-password-not-allowed = Votre compte appartient à { $issuer } : connectez-vous là-bas. Ici, il ne peut avoir ni identifiant ni mot de passe.
player-bad-refresh-token = Ce jeton de renouvellement a expiré, a été révoqué ou a déjà servi. Reconnectez-vous.
player-former = un ancien joueur
player-unknown = Ce joueur n'existe pas, ou a été supprimé.

## Parties

game-options-unreadable = Ces options sont inutilisables. { $why }
game-seats-out-of-range = { $seats ->
    [one] { $seats } place, ce n'est pas possible : ce jeu se joue de { $least } à { $most }.
   *[other] { $seats } places, ce n'est pas possible : ce jeu se joue de { $least } à { $most }.
}
game-no-such-kind = Ce jeu n'existe pas ici. Choisissez l'un de ceux-ci : { $known }.
game-no-such-move = Aucun coup n'a cette notation. Envoyez l'identifiant d'un coup permis.
game-already-resigned = Vous avez abandonné cette partie.
game-no-such-time-zone = Le fuseau horaire { $zone } n'existe pas. Envoyez un nom de la base IANA, comme Europe/Paris.
game-nothing-to-choose = Dans ce jeu, il n'y a rien à choisir dans le salon.
game-no-such-aside = Ce jeu n'a pas d'apartés : il n'accepte que des coups.
game-bot-level = { $most ->
    [one] Les robots de ce jeu n'ont qu'un niveau. Envoyez 1.
   *[other] Les robots de ce jeu ont des niveaux de 1 à { $most }. Envoyez l'un d'eux.
}
game-no-bots = Ce serveur ne fait jouer aucun robot. Invitez quelqu'un, ou demandez à l'exploitant de le lancer avec --bot-threads.
game-step-too-long = C'est trop long pour une étape ({ $most } octets au plus). Raccourcissez.
game-unprepared = Le début n'a pas pu être préparé à temps. Réessayez dans un moment, ou changez les options.
game-cap-hosted-lobbies = { $most ->
    [one] Vous êtes déjà l'hôte d'une partie qui n'a pas commencé. Lancez-la ou quittez-la d'abord.
   *[other] Vous êtes déjà l'hôte de { $most } parties qui n'ont pas commencé. Lancez-en une ou quittez-en une d'abord.
}
game-cap-open-games = { $most ->
    [one] Vous participez déjà à une partie en cours. Terminez-la ou quittez-la d'abord.
   *[other] Vous participez déjà à { $most } parties en cours. Terminez-en une ou quittez-en une d'abord.
}
game-cap-invited-players = { $most ->
    [one] Un joueur a déjà été admis dans cette partie. L'hôte peut en créer une nouvelle.
   *[other] { $most } joueurs ont déjà été admis dans cette partie. L'hôte peut en créer une nouvelle.
}
game-cap-lobby-steps = { $most ->
    [one] Ce salon a connu un changement, le maximum. Lancez la partie, ou créez-en une nouvelle.
   *[other] Ce salon a connu { $most } changements, le maximum. Lancez la partie, ou créez-en une nouvelle.
}
game-cap-steps-with-asides = { $most ->
    [one] Cette partie a connu une étape : elle n'accepte plus que des coups.
   *[other] Cette partie a connu { $most } étapes : elle n'accepte plus que des coups.
}
game-cap-steps = { $most ->
    [one] Cette partie a connu une étape, le maximum. Vous pouvez encore abandonner.
   *[other] Cette partie a connu { $most } étapes, le maximum. Vous pouvez encore abandonner.
}

## Requêtes

request-field-missing = Il manque le champ { $field } dans la requête.
request-field-unknown = La requête a un champ inconnu, { $field }. On connaît ici : { $known }.
request-field-repeated = La requête a { $field } plusieurs fois. Ne l'envoyez qu'une fois.
request-field-range = Dans la requête, { $field } doit être un nombre entier de { $least } à { $most }.
request-field-number = Dans la requête, { $field } doit être un nombre.
request-field-text = Dans la requête, { $field } doit être une chaîne de caractères.
request-field-boolean = Dans la requête, { $field } doit être true ou false.
request-field-list = Dans la requête, { $field } doit être une liste.
request-field-object = Dans la requête, { $field } doit être un objet JSON.
request-field-value = Dans la requête, { $field } doit être l'une de ces valeurs : { $known }.
request-field-described = Dans la requête, { $field } n'a pas la forme que donne la description de l'API.
request-whole = toute la valeur
request-name = { $name }
request-json = La requête n'est pas du JSON valable : il y a une erreur à la ligne { $line }, colonne { $column }.
request-json-empty = La requête n'a pas de corps. Envoyez un objet JSON.
request-json-cut-short = La requête n'est pas du JSON valable : elle s'arrête trop tôt.
request-body-broken-off = La connexion s'est coupée avant l'arrivée de tout le corps. Renvoyez la requête.
request-query-string = Les paramètres de l'adresse sont illisibles. Écrivez-les nom=valeur, séparés par &, en UTF-8 avec un codage pourcent.
request-move-one-of-two = Envoyez soit l'id d'un coup, soit le coup lui-même dans move : exactement l'un des deux.
request-moves-or-one = Envoyez soit un seul coup, soit plusieurs dans moves, mais pas les deux.
request-moves-length = Envoyez un seul coup, ou une liste de 1 à { $most } coups dans moves.
request-idempotency-key = Une clé d'idempotence est une seule valeur de 1 à { $most } caractères ASCII visibles.
request-credentials = Envoyez username et password, ou un refreshToken.
request-seed = Une graine se compose de 64 chiffres hexadécimaux.
request-seed-refused = Seul un serveur lancé avec --dev accepte une graine. Ne l'envoyez pas.
request-options-of-another-kind = Ce sont des options de { $of }, mais la partie est de { $kind }. Envoyez celles de { $kind }.
request-replay-commitment = L'engagement de l'enregistrement ne correspond pas à sa graine.
request-replay-beginning = L'enregistrement ne commence pas par la création de la partie.
request-replay-players = L'enregistrement a plus de joueurs que la requête n'en donne.
request-replay-version = L'enregistrement n'a pas d'étapes jusqu'à cette version.
request-query-missing = La requête n'a pas de document GraphQL. Envoyez-en un dans query.
request-hash = sha256Hash doit se composer de 64 chiffres hexadécimaux.
request-batch-empty = Un lot contient au moins une requête.
request-batch-streamed = Un lot ne peut pas recevoir un flux en réponse. Envoyez-le avec l'en-tête Accept: application/json.
request-socket-origin = Les pages de cette origine ne peuvent pas ouvrir de socket. Demandez à l'exploitant du serveur de permettre cette origine.
request-socket-handshake = Ce n'est pas une ouverture de WebSocket (RFC 6455, version 13).
request-host-missing = La requête ne nomme aucun hôte. Envoyez une fois l'en-tête Host, ou :authority en HTTP/2.
request-host-repeated = La requête a plusieurs en-têtes Host. N'en envoyez qu'un.
request-host-contradicted = :authority et l'en-tête Host nomment des hôtes différents. Envoyez le même dans les deux, ou omettez Host.
request-stream-not-accepted = La réponse à un abonnement est un flux. Utilisez un WebSocket, ou envoyez l'en-tête Accept: text/event-stream.
request-not-acceptable = Le serveur répond en application/graphql-response+json, application/json et text/event-stream. Acceptez l'un d'eux.

## Documents GraphQL

document-argument = { $argument } doit être une valeur du type { $type }.
document-argument-unfit = Un argument ne correspond pas à son type. Comparez le document et ses variables avec le schéma.
document-limit-bytes = Le document a plus de { $most } octets. Demandez moins, ou en plusieurs requêtes.
document-limit-tokens = Le document a plus de { $most } lexèmes. Demandez moins, ou en plusieurs requêtes.
document-limit-nesting = Le document a plus de { $most } niveaux de parenthèses. Imbriquez moins.
document-limit-nodes = Une fois ses fragments développés, le document ou le lot a plus de { $most } champs. Demandez moins, ou en plusieurs requêtes.
document-limit-depth = Le document a plus de { $most } niveaux de profondeur. Demandez les champs les plus profonds dans une requête à part.
document-limit-aliases = Le document a plus de { $most } alias. Répartissez-le en plusieurs requêtes.
document-limit-directives = Le document a plus de { $most } directives. Utilisez-en moins.
document-limit-variables = Les variables ont plus de { $most } valeurs. Envoyez des listes plus courtes, ou répartissez-les en plusieurs requêtes.
document-limit-complexity = Le document demande plus de { $most } champs, chacun compté une fois par élément de ses listes. Demandez des listes plus courtes, ou moins de champs.
document-limit-cost = Le document coûte { $price } unités de travail, plus que votre budget ne peut en contenir ({ $most }). Répartissez-le en plusieurs requêtes.
document-limit-batch = { $most ->
    [one] Le lot a plus d'une requête. Envoyez-les une par une.
   *[other] Le lot a plus de { $most } requêtes. Divisez-le en lots plus petits.
}
document-limit-operations = { $most ->
    [one] Un socket exécute une opération à la fois. Terminez-la d'abord, ou ouvrez un autre socket.
   *[other] Un socket exécute au plus { $most } opérations à la fois. Terminez-en une d'abord, ou ouvrez un autre socket.
}
document-fragment-cycle = Le fragment { $name } se contient lui-même, directement ou par d'autres fragments. Supprimez ce cycle.
document-operation-unknown = Le document n'a pas d'opération de ce nom. Vérifiez operationName.
document-operation-name-needed = Le document a plusieurs opérations. Nommez l'une d'elles dans operationName.
document-subscription-one-field = Un abonnement a exactement un champ à sa racine, hors de tout fragment et sans directive.
document-hash-mismatch = L'empreinte n'est pas le SHA-256 du document. Calculez-la sur le document tel qu'il est envoyé.
document-introspection-disabled = L'introspection est désactivée sur ce serveur. Demandez le schéma à son exploitant.
document-not-listed = Ce serveur n'exécute que les documents que son exploitant a autorisés, et celui-ci n'en fait pas partie.


## Pages

page-problems = Tous les problèmes
page-problems-about = Toute requête refusée reçoit l'un de ces codes : en REST, dans le champ code du problème ; en GraphQL, dans le champ code d'une erreur (userErrors) ou dans ses extensions.
page-playground = Bac à sable
page-reference = Référence REST
page-kinds = Jeux
page-absent = Ce serveur a été compilé sans ses pages : installez Node.js 20.19 ou plus récent, avec npm, et recompilez-le avec LUDOTHEQUE_WEB=on dans l'environnement.
