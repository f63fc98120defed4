# Jouets à GO GO GO, en français. Les clés sont les mêmes dans toutes les langues.

toys_go_go_go-name = Jouets à GO GO GO
toys_go_go_go-summary =
    Construis le plus beau magasin de jouets, tuile par tuile !
    Ton magasin commence par une caisse et devient un carré de 4 sur 4.
    1. À ton tour, prends une des 4 tuiles visibles et pose-la, sans la tourner, contre ta caisse ou une tuile de ton magasin.
    2. Si une couleur de la tuile touche la même couleur à côté, tu gagnes 1 pièce par jouet de toute cette zone.
    La caisse a les quatre couleurs : elle relie les zones, mais elle n’a pas de jouet.
    3. Sois le premier à avoir les cinq jouets d’un type dans ton magasin, et tu prends sa Collection.
    4. On retourne une nouvelle tuile, et c’est au joueur suivant.
    Quand tous les magasins sont pleins, celui qui a le plus d’exemplaires d’un même jouet gagne la Vitrine de son type. Égalité ? Tous la gagnent.
    Chaque Collection et chaque Vitrine vaut 5 pièces à la fin. 10 pièces font un billet.
    Celui qui a le plus de billets gagne, puis celui qui a le plus de pièces restantes.

## Types de jouets : une couleur chacun

toys_go_go_go-type-plush = peluches
toys_go_go_go-type-dolls = poupées
toys_go_go_go-type-vehicles = véhicules
toys_go_go_go-type-sports = sport

## Jouets

toys_go_go_go-toy-bear = ours
toys_go_go_go-toy-unicorn = licorne
toys_go_go_go-toy-cat = chat
toys_go_go_go-toy-rabbit = lapin
toys_go_go_go-toy-dog = chien
toys_go_go_go-toy-princess = princesse
toys_go_go_go-toy-nurse = infirmier
toys_go_go_go-toy-ballerina = ballerine
toys_go_go_go-toy-robot = robot
toys_go_go_go-toy-mermaid = sirène
toys_go_go_go-toy-train = train
toys_go_go_go-toy-car = voiture
toys_go_go_go-toy-crane = grue
toys_go_go_go-toy-fire-engine = camion de pompiers
toys_go_go_go-toy-rocket = fusée
toys_go_go_go-toy-ball = ballon
toys_go_go_go-toy-roller-skates = patins à roulettes
toys_go_go_go-toy-rackets = raquettes
toys_go_go_go-toy-tricycle = tricycle
toys_go_go_go-toy-flamingo-ring = bouée flamant rose

## Coups : $ways dit le chemin depuis la caisse

toys_go_go_go-move-lay = Poser la tuile { $tile } ({ $toys }), depuis la caisse : { $ways }
toys_go_go_go-way-up = { $steps } vers le haut
toys_go_go_go-way-down = { $steps } vers le bas
toys_go_go_go-way-left = { $steps } vers la gauche
toys_go_go_go-way-right = { $steps } vers la droite

## Refus

toys_go_go_go-refusal-over = La partie est finie.
toys_go_go_go-refusal-no-such-seat = Cette place n’existe pas à cette table.
toys_go_go_go-refusal-resigned = Tu as abandonné : maintenant, tu regardes.
toys_go_go_go-refusal-turn = Ce n’est pas ton tour.
toys_go_go_go-refusal-not-open = La tuile { $tile } n’est pas une des tuiles visibles.
toys_go_go_go-refusal-outside = Ton magasin ne tiendrait plus dans un carré de { $size } sur { $size }.
toys_go_go_go-refusal-taken = Cet endroit de ton magasin est déjà occupé.
toys_go_go_go-refusal-apart = Une tuile doit toucher par un côté ta caisse ou une autre tuile de ton magasin ; un coin ne suffit pas.
toys_go_go_go-refusal-shop-size = Un magasin a { $least } ou { $most } tuiles de côté.
toys_go_go_go-refusal-first-seat = L’option firstSeat prend le numéro que la place a dans l’API : de 0 à { $last }.

## Comment une partie finit

toys_go_go_go-reason-full = tous les magasins sont pleins
toys_go_go_go-reason-resigned = tous les autres ont abandonné
