package dev.keelson.flow.queue;

/**
 * Shuffle sharding: deals each flow a hand of the queues, so that two flows rarely share all of
 * theirs (source: apiserver, util/shufflesharding, dealer.go).
 *
 * @param deckSize the number of queues
 * @param handSize how many of them a flow has, at most the deck
 */
record Dealer(int deckSize, int handSize) {

  /**
   * Returns different numbers below the deck's size; the same ones for the same hash.
   *
   * @param hash all of its bits are used, as a number without a sign
   */
  int[] deal(long hash) {
    int[] hand = new int[handSize];
    long rest = hash;
    for (int i = 0; i < handSize; i++) {
      int left = deckSize - i;
      hand[i] = (int) Long.remainderUnsigned(rest, left);
      rest = Long.divideUnsigned(rest, left);
    }
    // each is a place among the cards that are left: turned into a card, the last one first
    for (int i = handSize - 1; i > 0; i--) {
      int card = hand[i];
      for (int j = i; j > 0; j--) {
        if (card >= hand[j - 1]) {
          card++;
        }
      }
      hand[i] = card;
    }
    return hand;
  }
}
