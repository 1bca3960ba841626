package dev.keelson.flow.queue;

import java.util.List;

/**
 * What a {@link QueueSet} is doing, for the debug endpoints.
 *
 * @param alone the requests that are executed in a set without queues
 * @param waiting the number of requests that wait
 * @param executing the number of requests that are executed
 * @param seatsInUse the seats that are taken
 * @param totals of all time
 */
public record QueueDump(
    List<Queue> queues,
    List<Request> alone,
    int waiting,
    int executing,
    int seatsInUse,
    Totals totals) {

  public QueueDump {
    alone = List.copyOf(alone);
    queues = List.copyOf(queues);
  }

  /**
   * What became of requests so far.
   *
   * @param rejected those that timed out and were cancelled among them
   */
  public record Totals(long dispatched, long rejected, long timedOut, long cancelled) {}

  /** Whether nothing waits and nothing is executed. */
  public boolean isIdle() {
    return waiting == 0 && executing == 0;
  }

  /**
   * A queue.
   *
   * @param requests those that wait, the oldest first
   * @param executing those that are executed
   * @param nextDispatchR the virtual start of the next one, in seat-seconds
   * @param initialSeats the seats of all that wait while they are executed
   * @param maxSeats the seats of all that wait
   * @param work the work of all that wait, in seat-seconds
   */
  public record Queue(
      List<Request> requests,
      List<Request> executing,
      int seatsInUse,
      double nextDispatchR,
      int initialSeats,
      int maxSeats,
      double work) {

    public Queue {
      requests = List.copyOf(requests);
      executing = List.copyOf(executing);
    }
  }

  /**
   * A request.
   *
   * @param arrivalMillis when it came, in milliseconds since 1970
   * @param startMillis when its execution began, in milliseconds since 1970; 0 if it waits
   */
  public record Request(Flow flow, long arrivalMillis, WorkEstimate work, long startMillis) {

    static Request of(Waiter waiter) {
      return new Request(
          waiter.flow(), waiter.arrivalMillis(), waiter.asked(), waiter.startMillis());
    }
  }
}
