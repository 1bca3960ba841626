package dev.keelson.flow.level;

import dev.keelson.flow.queue.Flow;
import dev.keelson.flow.queue.LevelObserver;
import dev.keelson.flow.queue.Outcome;
import java.util.function.LongSupplier;

/** Tells another observer, and keeps the demand for seats. */
record ObservedDemand(LevelObserver next, SeatDemand demand, LongSupplier nanos)
    implements LevelObserver {

  @Override
  public void waiting(Flow flow, int requests, int seats) {
    next.waiting(flow, requests, seats);
  }

  @Override
  public void enqueued(Flow flow, int length) {
    next.enqueued(flow, length);
  }

  @Override
  public void executing(Flow flow, int requests, int seats) {
    next.executing(flow, requests, seats);
  }

  @Override
  public void rejected(Flow flow, Outcome outcome) {
    next.rejected(flow, outcome);
  }

  @Override
  public void notAccommodated(Flow flow) {
    next.notAccommodated(flow);
  }

  @Override
  public void demand(int seats) {
    demand.set(seats, nanos.getAsLong());
    next.demand(seats);
  }

  @Override
  public void capacity(int seats, int waiting) {
    next.capacity(seats, waiting);
  }

  @Override
  public void dispatched(double r, double start) {
    next.dispatched(r, start);
  }
}
