# Toy Rush, en français. Les clés sont les mêmes dans toutes les langues.

toy_rush-name = Toy Rush
toy_rush-summary =
    Envoie tes lutins à la chaîne de montage, fabrique des jouets et comble les enfants avant l’autre !
    Chacun garde 2 objectifs secrets sur 3 : un jouet, son allure, et souvent une boîte autour.
    Une manche a trois temps :
    1. À tour de rôle, place un ou plusieurs de tes lutins sur une case, jusqu’à ce que tous soient placés. Une case occupée est fermée. Seule la case Primeur accepte toujours les lutins des deux joueurs.
    2. On résout les cases de gauche à droite. Le plus de lutins sur Primeur : à toi le jeton de premier joueur. Autant que l’autre : le jeton reste où il est. Personne n’y est : il va à celui qui est le plus à gauche.
    Objectifs : pour chaque lutin, pioche 2 cartes et gardes-en 1. Boîte ou lutin : l’un des deux. Lutins : un nouveau lutin pour chacun.
    Une couleur ou un train coûte 1 lutin, un motif ou un ours 2, un cheval 3. Les lutins en trop ne donnent rien, mais reviennent aussi.
    3. Les deux joueurs choisissent en même temps, en secret, les objectifs qu’ils terminent. Les objets utilisés retournent sur leurs piles.
    Dès que quelqu’un a 17 points à la fin d’une manche, la partie finit ; de même quand plus aucun objectif ne peut être terminé, ou après 40 manches. Le plus de points gagne ; à égalité, celui qui a le jeton.

## Objets

toy_rush-object-pink = rose
toy_rush-object-blue = bleu
toy_rush-object-yellow = jaune
toy_rush-object-dots = pois
toy_rush-object-stripes = rayures
toy_rush-object-train = train
toy_rush-object-teddy = ours en peluche
toy_rush-object-horse = cheval à bascule
toy_rush-object-box = boîte en carton
toy_rush-some = { $count } × { $object }

## Objectifs

toy_rush-objective = { $child } ({ $needs } ; { $points } points)

## Cases

toy_rush-space-primeur = Primeur (case 1)
toy_rush-space-objectives = Objectifs (case 2)
toy_rush-space-box-or-elf = Boîte ou lutin (case 3)
toy_rush-space-elves = Lutins (case 4)
toy_rush-space-colours = Couleurs (case 5)
toy_rush-space-trains = Trains (case 6)
toy_rush-space-patterns = Motifs (case 7)
toy_rush-space-teddies = Ours en peluche (case 8)
toy_rush-space-horses = Chevaux à bascule (case 9)

## Étapes

toy_rush-step-keep = Choisir les objectifs à garder
toy_rush-step-place = Placer des lutins
toy_rush-step-resolve = Choisir ce que donne une case
toy_rush-step-ship = Terminer des objectifs
toy_rush-step-over = La partie est finie

## Coups

toy_rush-move-keep = Garder : { $objectives }
toy_rush-move-place = Mettre { $count ->
        [one] { $count } lutin
       *[other] { $count } lutins
    } sur { $space }
toy_rush-move-take = Prendre : { $objects }
toy_rush-move-take-elf = Prendre un lutin de sa réserve
toy_rush-move-ship = Terminer : { $objectives }
toy_rush-move-ship-none = Ne rien terminer

## Refus

toy_rush-refusal-over = La partie est finie.
toy_rush-refusal-no-such-seat = Cette place n’existe pas à cette table.
toy_rush-refusal-chosen = Tu as déjà choisi. Attends l’autre joueur.
toy_rush-refusal-not-your-turn = C’est à l’autre joueur.
toy_rush-refusal-keep-due = Choisis d’abord { $count ->
        [one] l’objectif
       *[other] les { $count } objectifs
    } que tu gardes.
toy_rush-refusal-place-due = C’est le moment de placer des lutins. Mets-en un ou plusieurs sur une case.
toy_rush-refusal-take-due = Choisis d’abord ce que ta case te donne.
toy_rush-refusal-ship-due = C’est le moment de terminer des objectifs. Nomme-les, ou dis que tu n’en termines aucun.
toy_rush-refusal-named-twice = Tu as nommé deux fois cet objectif : { $objective }.
toy_rush-refusal-not-drawn = Tu n’as pas pioché cet objectif : { $objective }.
toy_rush-refusal-not-in-hand = Tu n’as pas cet objectif en main : { $objective }.
toy_rush-refusal-keep-count = Il faut garder { $count ->
        [one] exactement { $count } objectif
       *[other] exactement { $count } objectifs
    }, pas { $named }.
toy_rush-refusal-no-elves = Place au moins un lutin.
toy_rush-refusal-stock = Tu ne peux pas placer { $count ->
        [one] { $count } lutin
       *[other] { $count } lutins
    } : il y en a { $stock } dans ton stock.
toy_rush-refusal-occupied = Il y a déjà des lutins sur { $space } : la case est fermée pour cette manche.
toy_rush-refusal-too-many-elves = { $count } lutins, c’est trop pour { $space } : { $most } au plus.
toy_rush-refusal-not-given = Cette case ne donne pas { $object }.
toy_rush-refusal-no-elf-here = Cette case ne donne pas de lutin.
toy_rush-refusal-pile = Il ne reste pas assez de cartes { $object } : { $count }.
toy_rush-refusal-take-count = Il faut prendre { $count ->
        [one] exactement { $count } carte
       *[other] exactement { $count } cartes
    } ici, pas { $named }.
toy_rush-refusal-unpaid = Il faut { $count } × { $object }, et tu en as { $held }. Une carte ne sert que pour un objectif.
toy_rush-refusal-target = Une partie se joue en { $least } à { $most } points.
toy_rush-refusal-rounds = Le nombre maximal de manches est compris entre { $least } et { $most }.
toy_rush-refusal-first-seat = L’option firstSeat prend le numéro que la place a dans l’API : de 0 à { $last }.

## Comment finit une partie

toy_rush-reason-target = assez de points
toy_rush-reason-dry = plus aucun objectif ne peut être terminé
toy_rush-reason-rounds = la dernière manche est jouée
toy_rush-reason-resigned = l’autre joueur a abandonné
