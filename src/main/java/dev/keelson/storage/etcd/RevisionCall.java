package dev.keelson.storage.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One linearizable read of etcd that returns its revision alone. Every consistent read of the cache
 * waits for such a call, so it is made without what jetcd adds to a call: a retry policy, and an
 * executor for each step.
 */
final class RevisionCall extends ClientCall.Listener<RangeResponse> {

  /** A key that no object has. */
  static final ByteString NO_KEY = ByteString.copyFrom(new byte[] {0});

  private static final RangeRequest REQUEST =
      RangeRequest.newBuilder().setKey(NO_KEY).setCountOnly(true).build();

  private final CompletableFuture<Long> revision = new CompletableFuture<>();
  private @Nullable RangeResponse response;

  private RevisionCall() {}

  /** Sends the request; the result completes on the event loop of the connection. */
  static CompletableFuture<Long> send(ClientCall<RangeRequest, RangeResponse> call) {
    RevisionCall listener = new RevisionCall();
    call.start(listener, new Metadata());
    // one more than the response: its absence or a second one is the call's own error
    call.request(2);
    call.sendMessage(REQUEST);
    call.halfClose();
    return listener.revision;
  }

  @Override
  public void onMessage(RangeResponse message) {
    response = message;
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    RangeResponse received = response;
    if (status.isOk() && received != null) {
      revision.complete(received.getHeader().getRevision());
    } else {
      revision.completeExceptionally(status.asRuntimeException(trailers));
    }
  }
}
