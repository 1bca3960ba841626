package dev.keelson.storage.etcd;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One call of etcd with one request and one response, without what jetcd adds to it: a retry
 * policy, a timer, and an executor for each step. Every consistent read of the cache waits for such
 * a call, and every write is one.
 *
 * @param <A> the type of the response
 */
final class UnaryCall<A> extends ClientCall.Listener<A> {

  private final CompletableFuture<A> result = new CompletableFuture<>();
  private @Nullable A response;

  private UnaryCall() {}

  /**
   * Sends the request once, on this thread; the result completes on the event loop of the
   * connection. A failure is gRPC's {@link io.grpc.StatusRuntimeException}.
   */
  static <Q, A> CompletableFuture<A> send(ClientCall<Q, A> call, Q request) {
    UnaryCall<A> listener = new UnaryCall<>();
    call.start(listener, new Metadata());
    // one more than the response: its absence or a second one is the call's own error
    call.request(2);
    call.sendMessage(request);
    call.halfClose();
    return listener.result;
  }

  @Override
  public void onMessage(A message) {
    response = message;
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    A received = response;
    if (status.isOk() && received != null) {
      result.complete(received);
    } else {
      result.completeExceptionally(status.asRuntimeException(trailers));
    }
  }
}
