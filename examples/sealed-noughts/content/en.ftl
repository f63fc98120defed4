sealed_noughts-name = Sealed Noughts
sealed_noughts-summary =
    Noughts and crosses, but nobody takes turns: you bid for each mark.
    A stone lies on one of the nine cells. You both begin with the same number of coins.
    1. In secret, choose a free cell and bid coins for it, or none.
    2. Both bids are opened. The higher one places its mark, and its coins go to the other player. Equal bids? A coin is tossed.
    Three of your marks in a row win. If the board is full first, the richer player wins; if you are equally rich, you both do.
sealed_noughts-cell-free = free cell
sealed_noughts-cell-stone = stone
sealed_noughts-cell-nought = nought
sealed_noughts-cell-cross = cross
sealed_noughts-reason-line = three in a row
sealed_noughts-reason-coins = the board is full, and coins decide
sealed_noughts-reason-resigned = the other player gave up
sealed_noughts-move-bid = Bid { $coins } on row { $row }, column { $column }
sealed_noughts-refusal-coins = Each player begins with 1 to 20 coins.
sealed_noughts-refusal-turn = You have bid already, or the game is over.
sealed_noughts-refusal-purse = You can't bid more than the { $coins } coins in your purse.
sealed_noughts-refusal-cell = Only a free cell, from 0 to 8, can be bid for.
