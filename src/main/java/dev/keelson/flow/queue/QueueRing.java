package dev.keelson.flow.queue;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The queues of a {@link QueueSet} and whose turn it is; guarded by its lock. */
final class QueueRing {

  private final List<FairQueue<Ticket>> queues = new ArrayList<>();

  /** The queue of the last dispatch: of equal ones, those behind it are first. */
  private int last = -1;

  private int choices;

  /** Has at least so many queues. */
  void grow(int number) {
    while (queues.size() < number) {
      queues.add(new FairQueue<>());
    }
  }

  /** Removes queues without requests while there are more than {@code number}. */
  void shrink(int number) {
    for (int i = queues.size() - 1; i >= 0 && queues.size() > number; i--) {
      FairQueue<Ticket> queue = queues.get(i);
      if (queue.isIdle() && queue.seatsInUse == 0) {
        queues.remove(i);
        last = last >= i ? last - 1 : last;
      }
    }
  }

  /** The queue of a hand with the least work; of several, by turns. */
  FairQueue<Ticket> choose(int[] hand) {
    int offset = choices++;
    FairQueue<Ticket> best = queues.get(hand[Math.floorMod(offset, hand.length)]);
    for (int i = 1; i < hand.length; i++) {
      FairQueue<Ticket> queue = queues.get(hand[Math.floorMod(offset + i, hand.length)]);
      if (queue.waitingWork() < best.waitingWork()) {
        best = queue;
      }
    }
    return best;
  }

  /**
   * The queue whose oldest request would end first in virtual time; of several, by turns. Null if
   * nothing waits.
   */
  @Nullable FairQueue<Ticket> next() {
    FairQueue<Ticket> best = null;
    double least = Double.POSITIVE_INFINITY;
    int number = queues.size();
    for (int i = 1; i <= number; i++) {
      FairQueue<Ticket> queue = queues.get(Math.floorMod(last + i, number));
      Ticket oldest = queue.oldest();
      if (oldest != null) {
        double end = queue.nextDispatchR + oldest.work.totalWork();
        if (end < least) {
          least = end;
          best = queue;
        }
      }
    }
    return best;
  }

  /** A request of {@code queue} is dispatched. */
  void dispatchedFrom(FairQueue<Ticket> queue) {
    last = queues.indexOf(queue);
  }

  List<QueueDump.Queue> dump() {
    return queues.stream().map(FairQueue::dump).toList();
  }
}
