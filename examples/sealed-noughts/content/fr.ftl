sealed_noughts-name = Morpion sous enveloppe
sealed_noughts-summary =
    Un morpion où l’on ne joue pas chacun son tour : chaque marque se gagne aux enchères.
    Une pierre occupe l’une des neuf cases. Vous commencez tous les deux avec le même nombre de pièces.
    1. En secret, choisis une case libre et mise des pièces dessus, ou aucune.
    2. On ouvre les deux enveloppes. La plus forte mise pose sa marque, et ses pièces vont à l’adversaire. Égalité ? On tire à pile ou face.
    Aligne trois de tes marques pour gagner. Si la grille est pleine avant, le plus riche gagne ; à égalité de pièces, vous gagnez tous les deux.
sealed_noughts-cell-free = case libre
sealed_noughts-cell-stone = pierre
sealed_noughts-cell-nought = rond
sealed_noughts-cell-cross = croix
sealed_noughts-reason-line = trois marques alignées
sealed_noughts-reason-coins = la grille est pleine, les pièces décident
sealed_noughts-reason-resigned = l’adversaire a abandonné
sealed_noughts-move-bid = Miser { $coins } sur la ligne { $row }, colonne { $column }
sealed_noughts-refusal-coins = Chacun commence avec 1 à 20 pièces.
sealed_noughts-refusal-turn = Tu as déjà misé, ou la partie est finie.
sealed_noughts-refusal-purse = Tu ne peux pas miser plus que les { $coins } pièces de ta bourse.
sealed_noughts-refusal-cell = On ne mise que sur une case libre, de 0 à 8.
