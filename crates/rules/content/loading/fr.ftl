# LOADING, en français. Les clés sont les mêmes dans toutes les langues.

loading-name = LOADING
loading-summary =
    Recharge ta batterie avant les autres : pas de tours, tout le monde joue en même temps !
    Les cartes de 1 à 65 circulent en paquets, un de moins qu’il n’y a de joueurs. Celui qui n’en a pas crie CHARGE et tend la main.
    Un paquet en main : fouille-le, pose au plus une de ses cartes, puis débarrasse-t’en.
    Sur ta pile, il faut un nombre plus grand que celui du dessus. Sur celle d’un autre, exactement le nombre suivant : tu lui prends alors une carte BOOST (3 barres).
    Donne le paquet à la main tendue, ou jette-le et prends une carte STOP : tu as fini, et plus personne ne touche à ta pile.
    Dès que la dernière carte STOP est prise ou qu’un paquet est vide, la partie finit. Toutes les barres comptent : pile, BOOST et STOP. Le plus de barres gagne ; à égalité, le plus de cartes dans la pile.
    À deux : un troisième paquet attend au centre, et l’on échange avec lui. Si tu prends la carte STOP avec 9 cartes ou moins, tu donnes l’une de tes meilleures à l’autre.
    Joueurs confirmés : une carte de couleur se pose aussi sur une carte de la même couleur, quel que soit son nombre.
    Un joueur qui ne fait rien pendant une minute peut être relancé ; à la troisième relance de suite, sa partie est finie.

## Cartes et paquets

loading-card = { $number } ({ $bars ->
        [one] { $bars } barre
       *[other] { $bars } barres
    }, { $colour })
loading-stop = STOP { $mark } ({ $bars ->
        [one] { $bars } barre
       *[other] { $bars } barres
    })
loading-packet = paquet { $number }
loading-colour-white = blanc
loading-colour-red = rouge
loading-colour-green = vert
loading-colour-blue = bleu
loading-colour-yellow = jaune
loading-place-held = dans une main
loading-place-centre = au centre
loading-place-thrown-away = hors du jeu

## Étapes, et comment finit la partie

loading-step-charge = On attend CHARGE
loading-step-play = Tout le monde joue
loading-step-over = La partie est finie
loading-call-automatic = La fin vient d’elle-même
loading-call-shout = Il faut annoncer la fin

## Coups

loading-move-charge = Crier CHARGE
loading-move-lay = Poser { $card } sur la pile de la place { $seat }
loading-move-give = Donner le { $packet } à la main tendue
loading-move-give-any = Donner le paquet à la main tendue
loading-move-swap = Échanger le { $packet } contre celui du centre
loading-move-swap-any = Échanger le paquet contre celui du centre
loading-move-stop = Jeter le { $packet } et prendre { $stop }
loading-move-stop-any = Jeter le paquet et prendre { $stop }
loading-move-stop-call = Annoncer la fin
loading-move-nudge = Relancer la place { $seat }

## Refus

loading-refusal-over = La partie est finie.
loading-refusal-no-such-seat = Cette place n’existe pas à cette table.
loading-refusal-resigned = Tu as abandonné cette partie.
loading-refusal-done = Tu as pris une carte STOP : tu as fini. Attends les autres.
loading-refusal-no-call = Personne n’a à annoncer la fin de cette partie : elle vient d’elle-même.
loading-refusal-not-armed = La fin s’annonce quand la dernière carte STOP est prise ou qu’un paquet est vide.
loading-refusal-charged = CHARGE est déjà crié. Joue !
loading-refusal-not-yours-to-charge = C’est le joueur à la main tendue qui crie CHARGE.
loading-refusal-charge-first = Les paquets sont fermés. Crie d’abord CHARGE.
loading-refusal-closed = Les paquets restent fermés jusqu’au cri de CHARGE.
loading-refusal-no-packet = Tu n’as pas de paquet. Attends que quelqu’un t’en donne un.
loading-refusal-other-packet = Tu n’as plus ce paquet-là : tu tiens le { $packet }.
loading-refusal-laid = Tu as déjà posé une carte de ce paquet. Débarrasse-t’en.
loading-refusal-not-in-packet = Cette carte n’est pas dans le paquet que tu tiens : { $card }.
loading-refusal-no-such-pile = Il n’y a pas de place { $seat } avec une pile : les places vont de 1 à { $last }.
loading-refusal-pile-empty = La pile de la place { $seat } est vide, et seul son joueur peut la commencer.
loading-refusal-pile-closed = La place { $seat } ne joue plus : on ne touche plus à sa pile.
loading-refusal-too-low = { $card } ne va pas sur ta pile : il faut plus que { $top }.
loading-refusal-not-next = { $card } ne va pas sur la pile de la place { $seat } : il faut le nombre juste après { $top }.
loading-refusal-swap-here = Il n’y a pas de main tendue : à deux, on échange avec le centre.
loading-refusal-give-here = Il n’y a pas de paquet au centre : donne le tien à la main tendue.
loading-refusal-empty-packet = Ce paquet est vide : tu ne peux que le passer.
loading-refusal-stop-without-pile = Il faut au moins une carte dans ta pile pour prendre une carte STOP.
loading-refusal-stop-gone = { $stop } n’est pas au centre. Tu as toujours ton paquet.
loading-refusal-nudge-oneself = On ne se relance pas soi-même.
loading-refusal-nudge-off = Dans cette partie, personne ne peut être relancé.
loading-refusal-nudge-nobody = Personne n’attend la place { $seat }.
loading-refusal-nudge-early = La place { $seat } peut être relancée à partir de { $from }. Un peu de patience.
loading-refusal-held-out = L’option heldOutSeat prend le numéro que la place a dans l’API : de 0 à { $last }.
loading-refusal-held-out-of-two = À deux, personne ne tend la main. N’indique pas heldOutSeat.
loading-refusal-idle-passes = idlePasses va de 0 (jamais) à { $most }.
loading-refusal-idle-seconds = idleSeconds va de 0 (jamais) à { $most }.

## Comment finit une partie

loading-reason-last-stop = la dernière carte STOP est prise
loading-reason-empty = un paquet est vide
loading-reason-idle = les paquets tournent et personne ne pose rien
loading-reason-called = quelqu’un a annoncé la fin
loading-reason-no-move = plus personne ne peut rien faire
loading-reason-resigned = tous les autres ont abandonné
