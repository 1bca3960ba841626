package dev.keelson.storage.etcd;

import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientStreamTracer;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Adds to jetcd's gRPC calls a deadline, a maximum response size, a mark on failures that never
 * reached a connection, and the cancellation of closed streams.
 */
final class CallInterceptor implements ClientInterceptor {

  /** Maximum bytes of a response; a larger page is read in smaller parts. */
  static final int ANSWER_BYTES = 64 << 20;

  private static final CallOptions OPENED =
      CallOptions.DEFAULT.withWaitForReady().withExecutor(Runnable::run);

  private final CallDeadlines deadlines;

  /** jetcd's channel, from its first call on. */
  private volatile @Nullable Channel channel;

  CallInterceptor(CallDeadlines deadlines) {
    this.deadlines = deadlines;
  }

  CallDeadlines deadlines() {
    return deadlines;
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    if (channel == null) {
      channel = next;
    }
    return method.getType() == MethodDescriptor.MethodType.UNARY
        ? single(
            method,
            options.withDeadlineAfter(deadlines.deadline().toNanos(), TimeUnit.NANOSECONDS),
            next)
        : new Stream<>(next.newCall(method, options));
  }

  /**
   * Opens a unary call on jetcd's channel as jetcd would, except for its retries, its deadline and
   * its executor: its listener is called on the event loop of the connection. Null before jetcd's
   * first call.
   */
  <Q, A> @Nullable ClientCall<Q, A> open(MethodDescriptor<Q, A> method) {
    Channel known = channel;
    return known == null ? null : single(method, OPENED, known);
  }

  private <Q, A> ClientCall<Q, A> single(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    SentMark sent = new SentMark();
    return new Single<>(
        next.newCall(
            method, options.withMaxInboundMessageSize(ANSWER_BYTES).withStreamTracerFactory(sent)),
        sent);
  }

  /** Records whether a connection took the call; from then on it may have reached etcd. */
  private static final class SentMark extends ClientStreamTracer.Factory {
    private volatile boolean sent;

    @Override
    public ClientStreamTracer newClientStreamTracer(
        ClientStreamTracer.StreamInfo info, Metadata headers) {
      return new ClientStreamTracer() {
        @Override
        public void streamCreated(Attributes transport, Metadata headers) {
          sent = true;
        }
      };
    }
  }

  private static final class Single<Q, A> extends SimpleForwardingClientCall<Q, A> {
    private final SentMark sent;

    Single(ClientCall<Q, A> call, SentMark sent) {
      super(call);
      this.sent = sent;
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      super.start(
          new SimpleForwardingClientCallListener<A>(listener) {
            @Override
            public void onClose(Status status, Metadata trailers) {
              super.onClose(
                  status.isOk() || sent.sent
                      ? status
                      : status.withCause(new NotSentException(status.getCause())),
                  trailers);
            }
          },
          headers);
    }
  }

  private static final class Stream<Q, A> extends SimpleForwardingClientCall<Q, A> {
    Stream(ClientCall<Q, A> call) {
      super(call);
    }

    /**
     * jetcd closes a watcher by closing its side of the stream, upon which etcd keeps the other
     * side open: each closed watcher would stay in both processes until the connection ends.
     */
    @Override
    public void halfClose() {
      super.halfClose();
      cancel("the watch was closed", null);
    }
  }
}
