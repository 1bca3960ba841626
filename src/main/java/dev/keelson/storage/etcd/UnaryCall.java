package dev.keelson.storage.etcd;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One call of etcd with one request and one response, without what jetcd adds to it: a retry
 * policy, a timer, and an executor for each step. Every consistent read of the cache waits for such
 * a call, and every write is one.
 *
 * @param <Q> the type of the request
 * @param <A> the type of the response
 */
final class UnaryCall<Q, A> extends ClientCall.Listener<A> implements CallDeadlines.Limited {

  private final CompletableFuture<A> result = new CompletableFuture<>();
  private final ClientCall<Q, A> call;
  private final CallDeadlines deadlines;
  private final long begunNanos = System.nanoTime();
  private volatile boolean expired;
  private @Nullable A response;

  private UnaryCall(ClientCall<Q, A> call, CallDeadlines deadlines) {
    this.call = call;
    this.deadlines = deadlines;
  }

  /**
   * Sends the request once, on this thread; the result completes on the event loop of the
   * connection, so that what depends on it must be brief. A failure is gRPC's {@link
   * io.grpc.StatusRuntimeException}, {@code DEADLINE_EXCEEDED} when the time is over; or a {@link
   * TimeoutException} if gRPC does not end the call then.
   *
   * @param call has no executor but the event loop, and no deadline
   */
  static <Q, A> CompletableFuture<A> send(
      ClientCall<Q, A> call, Q request, CallDeadlines deadlines) {
    UnaryCall<Q, A> sent = new UnaryCall<>(call, deadlines);
    call.start(sent, new Metadata());
    deadlines.begun(sent);
    // one more than the response: its absence or a second one is the call's own error
    call.request(2);
    call.sendMessage(request);
    call.halfClose();
    return sent.result;
  }

  @Override
  public void expire(long beforeNanos) {
    if (result.isDone()) {
      // it ended before it was watched over
      deadlines.ended(this);
      return;
    }
    long late = beforeNanos - begunNanos;
    if (late < 0) {
      return;
    }
    if (!expired) {
      expired = true;
      call.cancel(CallDeadlines.LATE, null);
    } else if (late > CallDeadlines.GRACE.toNanos()) {
      deadlines.ended(this);
      boolean unused = result.completeExceptionally(new TimeoutException(CallDeadlines.LATE));
    }
  }

  @Override
  public void onMessage(A message) {
    response = message;
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    deadlines.ended(this);
    A received = response;
    if (status.isOk() && received != null) {
      result.complete(received);
    } else {
      result.completeExceptionally(ended(status).asRuntimeException(trailers));
    }
  }

  private Status ended(Status status) {
    return expired && status.getCode() == Status.Code.CANCELLED
        ? Status.DEADLINE_EXCEEDED
            .withDescription(status.getDescription())
            .withCause(status.getCause())
        : status;
  }
}
