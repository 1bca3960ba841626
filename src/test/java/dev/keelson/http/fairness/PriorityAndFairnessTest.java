package dev.keelson.http.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.flow.level.FlowMetrics;
import dev.keelson.flow.level.PriorityLevels;
import dev.keelson.flow.level.WorkEstimator;
import dev.keelson.flow.queue.QueueDump;
import dev.keelson.flow.queue.TimeSource;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.http.RequestContent;
import dev.keelson.http.RequestHandler;
import dev.keelson.request.Latencies;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import dev.keelson.work.Turn;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PriorityAndFairnessTest {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  private static final WorkEstimator.Cluster EMPTY =
      new WorkEstimator.Cluster() {
        @Override
        public Optional<WorkEstimator.Stored> stored(GroupResource resource) {
          return Optional.empty();
        }

        @Override
        public int watches(RequestInfo.Resource write) {
          return 0;
        }
      };

  private final Deque<Runnable> timers = new ArrayDeque<>();
  private final TimeSource time =
      new TimeSource(System::nanoTime, () -> 0, (delay, action) -> timers.add(action));

  /** So few that every limited level has one seat. */
  private final PriorityLevels levels = new PriorityLevels(1, time, FlowMetrics.NONE);

  private final RequestHandler reading =
      exchange -> ApiResponse.of(201, "text/plain", exchange.request().body());

  private RequestHandler filter(RequestHandler next, Duration timeout, boolean limited) {
    return new PriorityAndFairness(
            new FairnessParts(
                levels, new WorkEstimator(EMPTY), FlowMetrics.NONE, time, limited, true, timeout))
        .around(next);
  }

  private RequestHandler filter(RequestHandler next) {
    return filter(next, Duration.ofMinutes(1), /* limited= */ true);
  }

  private static Exchange request(String method, String group, RequestContent body) {
    ApiRequest request =
        new ApiRequest(method, MAPS, Query.NONE, Map.of(), new byte[0], List.of(), "192.0.2.1")
            .with(body);
    return new Exchange(
        request,
        RequestInfoResolver.parse(request.method(), request.path(), Map.of()),
        new RequestContext(new UserInfo("ann", "", List.of(group), Map.of()), "audit-1"));
  }

  private static Exchange create() {
    return request("POST", "system:authenticated", RequestContent.NONE);
  }

  /** Of the level global-default. */
  private QueueDump dump() {
    return levels.levels().stream()
        .filter(level -> level.spec().name().equals("global-default"))
        .findFirst()
        .orElseThrow()
        .queues()
        .dump();
  }

  /** A body on its way; {@code meanwhile} runs while it is waited for. */
  private static RequestContent late(Runnable meanwhile) {
    return new RequestContent() {
      private boolean come;

      @Override
      public byte[] bytes() {
        if (!come) {
          meanwhile.run();
          come = true;
        }
        return new byte[] {'x'};
      }

      @Override
      public boolean taken() {
        return come;
      }

      @Override
      public long length() {
        return come ? 1 : 0;
      }

      @Override
      public boolean isComplete() {
        return come;
      }
    };
  }

  /** Runs a request that holds its seat until the latch is open. */
  private CompletableFuture<ApiResponse> hold(CountDownLatch until) throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    RequestHandler holding =
        exchange -> {
          begun.countDown();
          try {
            until.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return reading.answer(exchange);
        };
    CompletableFuture<ApiResponse> answer = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> answer.complete(filter(holding).answer(create())));
    begun.await();
    return answer;
  }

  @Test
  void queuedRequest_isAnsweredWhenItsTurnComes_exemptOnesAtOnce() throws Exception {
    CountDownLatch until = new CountDownLatch(1);
    CompletableFuture<ApiResponse> first = hold(until);
    CompletableFuture<ApiResponse> second = new CompletableFuture<>();
    Exchange queued = create();
    Thread.ofVirtual().start(() -> second.complete(filter(reading).answer(queued)));
    while (dump().waiting() == 0) {
      Thread.onSpinWait();
    }

    Exchange exempt = request("POST", "system:masters", RequestContent.NONE);
    assertThat(filter(reading).answer(exempt).status()).isEqualTo(201);
    assertThat(second).isNotDone();
    until.countDown();
    assertThat(first.join().status()).isEqualTo(201);
    assertThat(second.join().status()).isEqualTo(201);
    assertThat(dump().isIdle()).isTrue();
    assertThat(queued.context().latencies().nanos(Latencies.Layer.QUEUE_WAIT)).isPositive();
    assertThat(exempt.context().latencies().nanos(Latencies.Layer.QUEUE_WAIT)).isZero();
  }

  @Test
  void requestThatWaitsAQuarterOfItsTime_isRejected() throws Exception {
    CountDownLatch until = new CountDownLatch(1);
    CompletableFuture<ApiResponse> first = hold(until);

    Exchange refused = create();
    assertThatThrownBy(
            () -> filter(reading, Duration.ofMillis(40), /* limited= */ true).answer(refused))
        .isInstanceOfSatisfying(
            ApiException.class,
            error -> {
              assertThat(error.reason().word()).isEqualTo("TooManyRequests");
              assertThat(error.details().retryAfterSeconds()).isEqualTo(1);
            })
        .hasMessage("Too many requests, please try again later.");
    assertThat(refused.context().refuser()).isEqualTo(RequestContext.Refuser.APISERVER);
    until.countDown();
    assertThat(first.join().status()).isEqualTo(201);
  }

  @Test
  void requestWhoseClientIsGone_leavesItsQueue() throws Exception {
    CountDownLatch until = new CountDownLatch(1);
    CompletableFuture<ApiResponse> first = hold(until);
    AtomicBoolean gone = new AtomicBoolean();
    CompletableFuture<String> error = new CompletableFuture<>();
    Thread waiting =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    ApiResponse unused =
                        Turn.run(gone::get, () -> filter(reading).answer(create()));
                    error.complete("answered");
                  } catch (ApiException e) {
                    error.complete(e.reason().word());
                  }
                });
    while (dump().waiting() == 0) {
      Thread.onSpinWait();
    }

    gone.set(true);
    LockSupport.unpark(waiting);

    assertThat(error.join()).isEqualTo("Timeout");
    assertThat(dump().waiting()).isZero();
    until.countDown();
    assertThat(first.join().status()).isEqualTo(201);
  }

  @Test
  void requestWhoseBodyIsOnItsWay_holdsNoSeat() {
    RequestContent body = late(() -> assertThat(dump().seatsInUse()).isZero());
    RequestHandler next =
        exchange -> {
          assertThat(dump().seatsInUse()).isEqualTo(1);
          ApiResponse answer = reading.answer(exchange);
          assertThat(dump().seatsInUse()).isEqualTo(1);
          return answer;
        };

    assertThat(filter(next).answer(request("POST", "system:authenticated", body)).status())
        .isEqualTo(201);
    assertThat(dump().isIdle()).isTrue();
  }

  @Test
  void failedRequest_releasesItsSeat() {
    RequestHandler failing =
        exchange -> {
          throw new IllegalStateException("defect");
        };

    assertThatThrownBy(() -> filter(failing).answer(create())).hasMessage("defect");
    assertThat(dump().isIdle()).isTrue();
  }

  @Test
  void list_keepsItsSeatUntilItIsWritten_orItsClientReadsSlowly() throws Exception {
    RequestHandler listing =
        exchange ->
            ApiResponse.of(
                200,
                "application/json",
                (Body.Streamed) sink -> assertThat(dump().seatsInUse()).isEqualTo(1));
    Exchange list = request("GET", "system:authenticated", RequestContent.NONE);

    Body.Streamed body = (Body.Streamed) filter(listing).answer(list).body();
    assertThat(dump().seatsInUse()).isEqualTo(1);
    body.writeTo(part -> {});
    assertThat(dump().isIdle()).isTrue();

    Body unread = filter(listing).answer(list).body();
    assertThat(unread).isInstanceOf(SeatedStream.class);
    timers.removeLast().run();
    assertThat(dump().isIdle()).isTrue();
  }

  @Test
  void kindWithoutALimit_isClassifiedOnly() throws Exception {
    CountDownLatch until = new CountDownLatch(1);
    CompletableFuture<ApiResponse> first = hold(until);
    Exchange read = request("GET", "system:authenticated", RequestContent.NONE);

    ApiResponse answer = filter(reading, Duration.ofMinutes(1), /* limited= */ false).answer(read);

    assertThat(answer.status()).isEqualTo(201);
    assertThat(read.context().classification()).isNotNull();
    until.countDown();
    assertThat(first.join().status()).isEqualTo(201);
  }
}
