package dev.keelson.client.election;

import dev.keelson.client.rest.ApiTransport;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Passes reads, and writes as long as this process leads. */
public final class LeaderTransport implements ApiTransport {

  private final ApiTransport next;
  private final BooleanSupplier leads;

  /** A transport whose writes are refused when {@code leads} is false. */
  public LeaderTransport(ApiTransport next, BooleanSupplier leads) {
    this.next = next;
    this.leads = leads;
  }

  @Override
  public Answer send(Request request) throws IOException, InterruptedException {
    if (!request.isRead() && !leads.getAsBoolean()) {
      throw new IOException("this process is not the leader any more");
    }
    return next.send(request);
  }

  @Override
  public EventStream watch(Request request) throws IOException, InterruptedException {
    return next.watch(request);
  }
}
