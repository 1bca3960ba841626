package dev.keelson.storage.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.Eventually;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CallDeadlinesTest {

  private static final Duration DEADLINE = Duration.ofMillis(40);
  private static final RangeResponse RESPONSE = RangeResponse.newBuilder().setCount(7).build();

  private final CallDeadlines deadlines = new CallDeadlines(DEADLINE);

  /** A call of a server that does not answer; what it does when it is cancelled is for a test. */
  private static class Silent extends ClientCall<RangeRequest, RangeResponse> {
    Listener<RangeResponse> listener = new Listener<>() {};

    @Override
    public void start(Listener<RangeResponse> responses, Metadata headers) {
      listener = responses;
    }

    @Override
    public void request(int messages) {}

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {}

    @Override
    public void halfClose() {}

    @Override
    public void sendMessage(RangeRequest message) {}
  }

  private static final class Ending extends Silent {
    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
      listener.onClose(Status.CANCELLED.withDescription(message), new Metadata());
    }
  }

  private CompletableFuture<RangeResponse> send(Silent call) {
    return UnaryCall.send(call, RangeRequest.getDefaultInstance(), deadlines);
  }

  @Test
  void callThatIsLate_isCancelled_andFailsByItsDeadline() {
    assertThat(send(new Ending()))
        .failsWithin(10, TimeUnit.SECONDS)
        .withThrowableThat()
        .withMessageContaining("DEADLINE_EXCEEDED: no answer in time");
  }

  @Test
  void callThatDoesNotEndWhenCancelled_failsAllTheSame() {
    assertThat(send(new Silent()))
        .failsWithin(10, TimeUnit.SECONDS)
        .withThrowableThat()
        .withCauseInstanceOf(TimeoutException.class);
  }

  @Test
  void callInTime_isNotCancelled() {
    Silent call = new Silent();
    CompletableFuture<RangeResponse> result = send(call);

    call.listener.onMessage(RESPONSE);
    call.listener.onClose(Status.OK, new Metadata());

    assertThat(result).isCompletedWithValue(RESPONSE);
  }

  @Test
  void callThatTheServerCancels_keepsItsStatus() {
    Silent call = new Silent();
    CompletableFuture<RangeResponse> result = send(call);

    call.listener.onClose(Status.CANCELLED.withDescription("by the server"), new Metadata());

    assertThat(result)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withMessageContaining("CANCELLED: by the server");
  }

  @Test
  void callAfterAnIdleTime_isWatchedAsWell() {
    assertThat(send(new Ending())).failsWithin(10, TimeUnit.SECONDS);
    Eventually.assertEventually(() -> assertThat(deadlines.looking()).isFalse());

    assertThat(send(new Ending())).failsWithin(10, TimeUnit.SECONDS);
  }
}
