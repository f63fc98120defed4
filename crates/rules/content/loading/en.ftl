# LOADING, in English. Keys are the same in every language.

loading-name = LOADING
loading-summary =
    Charge your battery before the others do: no turns, everybody plays at once!
    Cards 1 to 65 go round in packets, one fewer than there are players. The player without one calls CHARGE and holds a hand out.
    With a packet in hand: look through it, lay at most one card of it, then get rid of it.
    On your own pile a card has to be higher than the top one. On somebody else's it has to be exactly the next number: you then take a BOOST card (3 bars) from them.
    Give the packet to the hand held out, or throw it away and take a STOP card: then you are done, and nobody touches your pile any more.
    When the last STOP card is gone or a packet is empty the game is over. All bars count: pile, BOOST cards, STOP card. Most bars win; in a tie, more cards in the pile.
    Two players: a third packet lies in the centre, and you swap yours for it. If you take the STOP card with 9 cards or fewer, you give one of your best to the other player.
    Confirmed players may also lay a coloured card on a top card of the same colour, whatever its number.
    A player who does nothing for a minute may be nudged; the third nudge in a row ends their game.

## Cards and packets

loading-card = { $number } ({ $bars ->
        [one] 1 bar
       *[other] { $bars } bars
    }, { $colour })
loading-stop = STOP { $mark } ({ $bars ->
        [one] 1 bar
       *[other] { $bars } bars
    })
loading-packet = packet { $number }
loading-colour-white = white
loading-colour-red = red
loading-colour-green = green
loading-colour-blue = blue
loading-colour-yellow = yellow
loading-place-held = in a hand
loading-place-centre = in the centre
loading-place-thrown-away = out of the game

## Stages, and how the game ends

loading-step-charge = Waiting for CHARGE
loading-step-play = Everybody plays
loading-step-over = The game is over
loading-call-automatic = The end comes by itself
loading-call-shout = The end has to be called

## Moves

loading-move-charge = Call CHARGE
loading-move-lay = Lay { $card } on the pile of seat { $seat }
loading-move-give = Give { $packet } to the hand held out
loading-move-give-any = Give the packet to the hand held out
loading-move-swap = Swap { $packet } for the one in the centre
loading-move-swap-any = Swap the packet for the one in the centre
loading-move-stop = Throw { $packet } away and take { $stop }
loading-move-stop-any = Throw the packet away and take { $stop }
loading-move-stop-call = Call the end
loading-move-nudge = Nudge seat { $seat }

## Refusals

loading-refusal-over = The game is over.
loading-refusal-no-such-seat = There is no such seat at this table.
loading-refusal-resigned = You have given up this game.
loading-refusal-done = You took a STOP card, so you are done. Wait for the others.
loading-refusal-no-call = Nobody has to call the end of this game: it comes by itself.
loading-refusal-not-armed = The end can be called when the last STOP card is taken or a packet is empty.
loading-refusal-charged = CHARGE was called already. Play!
loading-refusal-not-yours-to-charge = The player whose hand is held out calls CHARGE.
loading-refusal-charge-first = The packets are closed. Call CHARGE first.
loading-refusal-closed = The packets are closed until CHARGE is called.
loading-refusal-no-packet = You hold no packet. Wait until somebody gives you one.
loading-refusal-other-packet = You do not hold that packet any more: you hold { $packet }.
loading-refusal-laid = You have laid a card from this packet already. Get rid of the packet.
loading-refusal-not-in-packet = This card is not in the packet you hold: { $card }.
loading-refusal-no-such-pile = There is no seat { $seat } with a pile: seats go from 1 to { $last }.
loading-refusal-pile-empty = The pile of seat { $seat } is empty, and only its owner can begin it.
loading-refusal-pile-closed = Seat { $seat } is out of play, and the pile can't be touched any more.
loading-refusal-too-low = { $card } does not go on your pile: it has to be higher than { $top }.
loading-refusal-not-next = { $card } does not go on the pile of seat { $seat }: it has to follow { $top } directly.
loading-refusal-swap-here = There is no hand to give a packet to: two players swap with the centre.
loading-refusal-give-here = There is no packet in the centre: give yours to the hand held out.
loading-refusal-empty-packet = This packet is empty: all you can do is pass it on.
loading-refusal-stop-without-pile = You can only take a STOP card with at least one card in your pile.
loading-refusal-stop-gone = { $stop } is not in the centre. You still hold your packet.
loading-refusal-nudge-oneself = You can't nudge yourself.
loading-refusal-nudge-off = Nobody can be nudged in this game.
loading-refusal-nudge-nobody = Nobody waits for seat { $seat }.
loading-refusal-nudge-early = Seat { $seat } may be nudged from { $from } on. Have some patience.
loading-refusal-held-out = The option heldOutSeat takes the number that the seat has in the API: from 0 to { $last }.
loading-refusal-held-out-of-two = With two players nobody holds a hand out. Leave heldOutSeat away.
loading-refusal-idle-passes = idlePasses goes from 0 (never) to { $most }.
loading-refusal-idle-seconds = idleSeconds goes from 0 (never) to { $most }.

## How a game ends

loading-reason-last-stop = the last STOP card was taken
loading-reason-empty = a packet ran out of cards
loading-reason-idle = packets went round and nobody laid anything
loading-reason-called = somebody called the end
loading-reason-no-move = nobody could do anything any more
loading-reason-resigned = all the others gave up
