# Chips, en français. Les clés sont les mêmes dans toutes les langues ; le nom des cartes comprend leurs points.

chips-name = Chips
chips-summary =
    Parie sur ce qui va sortir du sachet !
    Le sachet contient 25 chips : 7 nature, 6 oignon, 5 barbecue, 4 vinaigre et 3 poulet.
    À chaque manche, tu reçois 6 objectifs secrets, et tout le monde décide en même temps.
    1. On tire cinq chips. Jette 2 objectifs.
    2. Encore quatre chips. Jette 1 objectif.
    3. Encore trois chips. Parie tes 3 derniers objectifs : 2 POUR (ils seront réussis) et 1 CONTRE (il sera raté).
    4. On montre tous les paris, puis on tire les 2 dernières chips.
    Un objectif réussi te donne ses points si tu as parié POUR, et te les enlève si tu as parié CONTRE.
    Le meilleur score gagne 2 jetons, le deuxième 1. À égalité pour le meilleur, chacun en gagne 2 et personne n’est deuxième ; à égalité pour le deuxième, chacun en gagne 1.
    À deux, seul le meilleur score gagne 1 jeton ; à égalité, chacun en gagne 1.
    Dès que quelqu’un a 4 jetons (3 à deux), la partie finit : celui qui en a le plus gagne. Égalité ? Le meilleur score de la dernière manche l’emporte ; encore égalité, et tout le monde joue une manche de plus.
    Le jackpot réussi te fait gagner toute la partie si tu as parié POUR, et perdre la manche si tu as parié CONTRE.

## Saveurs

chips-flavour-plain = nature
chips-flavour-onion = oignon
chips-flavour-barbecue = barbecue
chips-flavour-vinegar = vinaigre
chips-flavour-chicken = poulet

## Objectifs : $points est ce que vaut la carte

chips-card-rainbow-1 = au moins 1 de chaque saveur ({ $points } { $points ->
        [one] point
       *[other] points
    })
chips-card-rainbow-2 = au moins 2 de chaque saveur ({ $points } points)
chips-card-combo-3n-3o = au moins 3 nature et 3 oignon ({ $points } points)
chips-card-combo-3o-2b = au moins 3 oignon et 2 barbecue ({ $points } points)
chips-card-combo-2b-2v = au moins 2 barbecue et 2 vinaigre ({ $points } points)
chips-card-combo-3p = les 3 poulet ({ $points } points)
chips-card-combo-4v = les 4 vinaigre ({ $points } points)
chips-card-combo-5b = les 5 barbecue ({ $points } points)
chips-card-combo-6o = les 6 oignon ({ $points } points)
chips-card-combo-7n = les 7 nature ({ $points } points)
chips-card-equal-o-n = autant d’oignon que de nature ({ $points } points)
chips-card-equal-b-o = autant de barbecue que d’oignon ({ $points } points)
chips-card-equal-v-b = autant de vinaigre que de barbecue ({ $points } points)
chips-card-equal-p-v = autant de poulet que de vinaigre ({ $points } points)
chips-card-equal-v-o = autant de vinaigre que d’oignon ({ $points } points)
chips-card-equal-v-n = autant de vinaigre que de nature ({ $points } points)
chips-card-equal-p-o = autant de poulet que d’oignon ({ $points } points)
chips-card-last-n = la dernière chips est nature ({ $points } points)
chips-card-last-o = la dernière chips est oignon ({ $points } points)
chips-card-last-b = la dernière chips est barbecue ({ $points } points)
chips-card-last-v = la dernière chips est vinaigre ({ $points } points)
chips-card-last-p = la dernière chips est poulet ({ $points } points)
chips-card-none-p = pas une seule chips poulet ({ $points } points)
chips-card-none-v = pas une seule chips vinaigre ({ $points } points)
chips-card-each-n = { $points } points par chips nature
chips-card-each-o = { $points } points par chips oignon
chips-card-each-b = { $points } points par chips barbecue
chips-card-each-v = { $points } points par chips vinaigre
chips-card-each-p = { $points } points par chips poulet
chips-card-more-o-n = plus d’oignon que de nature ({ $points } points)
chips-card-more-b-o = plus de barbecue que d’oignon ({ $points } points)
chips-card-more-v-b = plus de vinaigre que de barbecue ({ $points } points)
chips-card-more-p-v = plus de poulet que de vinaigre ({ $points } points)
chips-card-more-b-n = plus de barbecue que de nature ({ $points } points)
chips-card-more-p-b = plus de poulet que de barbecue ({ $points } points)
chips-card-jackpot-p-n = jackpot : plus de poulet que de nature

## Étapes d’une manche

chips-step-discard-two = Jeter 2 objectifs
chips-step-discard-one = Jeter 1 objectif
chips-step-bet = Parier 2 objectifs pour et 1 contre
chips-step-scored = La dernière manche est comptée

## Coups

chips-move-discard = Jeter : { $cards }
chips-move-bet = Parier pour : { $for } ; contre : { $against }

## Refus

chips-refusal-over = La partie est finie.
chips-refusal-no-such-seat = Cette place n’existe pas à cette table.
chips-refusal-resigned = Tu as abandonné : maintenant, tu regardes.
chips-refusal-chosen = Tu as déjà choisi. Attends que tout le monde ait fini.
chips-refusal-not-in-hand = Cet objectif n’est pas dans ta main : { $card }.
chips-refusal-named-twice = Tu as nommé cet objectif deux fois : { $card }.
chips-refusal-discard-count = Il faut jeter { $due ->
        [one] exactement 1 objectif
       *[other] exactement { $due } objectifs
    } maintenant, pas { $named }.
chips-refusal-bet-count = Il faut parier exactement { $due } objectifs POUR et 1 CONTRE, pas { $named } POUR.
chips-refusal-discard-due = C’est trop tôt pour parier. Jette d’abord { $due ->
        [one] 1 objectif
       *[other] { $due } objectifs
    }.
chips-refusal-bet-due = Il n’y a rien à jeter maintenant. Parie 2 objectifs POUR et 1 CONTRE.
chips-refusal-target = Une partie se joue en { $least } à { $most } jetons.
chips-refusal-dealer = L’option firstDealer prend le numéro que la place a dans l’API : de 0 à { $last }.

## Comment une partie finit

chips-reason-tokens = assez de jetons
chips-reason-jackpot = le jackpot
chips-reason-resigned = tous les autres ont abandonné
