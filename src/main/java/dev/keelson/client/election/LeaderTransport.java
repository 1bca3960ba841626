package dev.keelson.client.election;

import dev.keelson.client.rest.ApiTransport;
import java.io.IOException;

/** Passes reads, and writes as long as this process leads. */
public final class LeaderTransport implements ApiTransport {

  private static final int SERVER_ERROR = 500;

  private final ApiTransport next;
  private final LeaderWrites writes;

  /** A transport whose writes belong to a term. */
  public LeaderTransport(ApiTransport next, LeaderWrites writes) {
    this.next = next;
    this.writes = writes;
  }

  @Override
  public Answer send(Request request) throws IOException, InterruptedException {
    if (request.isRead()) {
      return next.send(request);
    }
    TimeLimit limit = writes.begin();
    boolean answered = false;
    try {
      Answer answer = next.send(request, limit);
      // the server itself may not know whether the store will do it
      answered = answer.status() < SERVER_ERROR;
      return answer;
    } finally {
      writes.finished(answered);
    }
  }

  @Override
  public Answer send(Request request, TimeLimit limit) {
    throw new UnsupportedOperationException("the limit of a leader's writes is that of its term");
  }

  @Override
  public EventStream watch(Request request) throws IOException, InterruptedException {
    return next.watch(request);
  }
}
