package dev.keelson.http.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.audit.Acceptance;
import dev.keelson.audit.event.Level;
import dev.keelson.audit.event.Stage;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import dev.keelson.http.Exchange;
import dev.keelson.request.Latencies;
import dev.keelson.request.UserInfo;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditFilterTest extends AuditHarness {

  private static final String SECRET =
      "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"s\"},"
          + "\"data\":{\"k\":\"cGxhbnRlZA==\"}}";

  @Test
  void create_hasTwoEvents_andTheLastShowsTheOutcome() {
    Exchange exchange = create(SECRET);

    ApiResponse answer = filter(Level.METADATA, allowed(created())).answer(exchange);

    assertThat(answer.status()).isEqualTo(201);
    assertThat(sink.stages()).containsExactly(Stage.REQUEST_RECEIVED, Stage.RESPONSE_COMPLETE);
    assertThat(sink.text(0))
        .contains("\"user\":{\"username\":\"alice\"", "\"verb\":\"create\"")
        .contains("\"requestURI\":\"/api/v1/namespaces/ns/secrets?fieldManager=x\"")
        .doesNotContain("responseStatus", "annotations");
    assertThat(sink.text(1))
        .contains("\"objectRef\":{\"resource\":\"secrets\",\"namespace\":\"ns\",\"name\":\"s\"")
        .contains("\"responseStatus\":{\"metadata\":{},\"code\":201}")
        .contains("\"authorization.k8s.io/decision\":\"allow\"")
        .doesNotContain("cGxhbnRlZA");
  }

  @Test
  void bodies_areThereFromTheirLevelsOn() {
    filter(Level.REQUEST, allowed(created())).answer(create(SECRET));
    filter(Level.REQUEST_RESPONSE, allowed(created())).answer(create(SECRET));

    assertThat(sink.text(1)).contains("\"requestObject\":" + SECRET).doesNotContain("\"made\"");
    assertThat(sink.text(3))
        .contains("\"requestObject\":" + SECRET)
        .contains("\"responseObject\":{\"made\":true}");
  }

  @Test
  void forbiddenRequest_showsItsStatusButNoObject() {
    dev.keelson.http.RequestHandler refusing =
        exchange -> {
          exchange.context().annotate("authorization.k8s.io/decision", "forbid");
          throw ApiException.forbidden(new GroupResource("", "secrets"), "", "no");
        };

    ApiResponse answer = filter(Level.REQUEST, refusing).answer(create(SECRET));

    assertThat(answer.status()).isEqualTo(403);
    assertThat(sink.text(1))
        .contains("\"status\":\"Failure\"", "\"reason\":\"Forbidden\"", "\"code\":403}")
        .doesNotContain("requestObject");
  }

  @Test
  void defect_isAPanic() {
    dev.keelson.http.RequestHandler broken =
        exchange -> {
          throw new IllegalStateException("boom");
        };

    ApiResponse answer =
        filter(Level.METADATA, broken)
            .answer(exchange("GET", "/api/v1/namespaces/ns/pods/p", "", ""));

    assertThat(answer.status()).isEqualTo(500);
    assertThat(sink.stages()).containsExactly(Stage.REQUEST_RECEIVED, Stage.PANIC);
    assertThat(sink.text(1)).contains("APIServer panic'd: java.lang.IllegalStateException: boom");
  }

  @Test
  void exhaustedThread_isAPanic_andIsNotSwallowed() {
    dev.keelson.http.RequestHandler exhausted =
        exchange -> {
          throw new StackOverflowError();
        };

    assertThatThrownBy(() -> filter(Level.METADATA, exhausted).answer(create(SECRET)))
        .isInstanceOf(StackOverflowError.class);
    assertThat(sink.stages()).containsExactly(Stage.REQUEST_RECEIVED, Stage.PANIC);
    assertThat(sink.text(1)).contains("\"reason\":\"InternalError\",\"code\":500}");
  }

  @Test
  void requestOfMoreThanHalfASecond_showsHowLongItTook() {
    dev.keelson.http.RequestHandler slow =
        exchange -> {
          clock.advance(Duration.ofMillis(501));
          Latencies.addToCurrent(Latencies.Layer.STORE, 1_500_000);
          return created();
        };
    Exchange timely = create(SECRET);
    timely.context().received(clock.instant().minusMillis(500));
    filter(Level.METADATA, allowed(created())).answer(timely);
    Exchange late = create(SECRET);
    late.context().received(clock.instant());
    late.context().latencies().add(Latencies.Layer.AUTHENTICATION, 2_000);
    filter(Level.METADATA, slow).answer(late);

    assertThat(sink.text(1)).doesNotContain("apiserver.latency.k8s.io");
    assertThat(sink.text(2)).doesNotContain("apiserver.latency.k8s.io");
    assertThat(sink.text(3))
        .contains("\"apiserver.latency.k8s.io/total\":\"501ms\"")
        .contains("\"apiserver.latency.k8s.io/authentication\":\"2µs\"")
        .contains("\"apiserver.latency.k8s.io/etcd\":\"1.5ms\"")
        .doesNotContain("webhook", "apiserver.latency.k8s.io/authorization");
  }

  @Test
  void strictSinkThatRefuses_letsNoRequestPass() {
    sink.answers.add(Acceptance.REFUSED);
    dev.keelson.http.RequestHandler never =
        exchange -> {
          throw new AssertionError("the request must not go on");
        };

    assertThatThrownBy(() -> filter(Level.METADATA, never).answer(create(SECRET)))
        .hasMessage("Internal error occurred: failed to store audit event");
    assertThat(metrics.rejected).hasValue(1);
  }

  @Test
  void strictSinkThatRefusesTheLastEvent_letsNoAnswerPass() {
    sink.answers.addAll(List.of(Acceptance.ACCEPTED, Acceptance.REFUSED));

    ApiResponse answer = filter(Level.METADATA, allowed(created())).answer(create(SECRET));

    assertThat(answer.status()).isEqualTo(500);
    assertThat(new String(answer.payload().toByteArray(), StandardCharsets.UTF_8))
        .contains("failed to store audit event");
  }

  @Test
  void watch_hasAnEventAtItsBeginAndOneAtItsEnd() {
    RecordedStream stream = new RecordedStream();
    dev.keelson.http.RequestHandler watching =
        allowed(ApiResponse.of(200, "application/json", stream));
    Exchange exchange = exchange("GET", "/api/v1/pods", "watch=true", "");

    ApiResponse answer = filter(Level.METADATA, watching).answer(exchange);

    assertThat(sink.stages()).containsExactly(Stage.REQUEST_RECEIVED, Stage.RESPONSE_STARTED);
    ((Body.LongRunning) answer.body()).abandon();
    ((Body.LongRunning) answer.body()).abandon();
    assertThat(stream.abandoned).isEqualTo(2);
    assertThat(sink.stages())
        .containsExactly(Stage.REQUEST_RECEIVED, Stage.RESPONSE_STARTED, Stage.RESPONSE_COMPLETE);
  }

  @Test
  void streamedList_isShownAfterItsEnd() throws InterruptedException {
    Body.Streamed list =
        out -> {
          out.write(Payload.of("{\"items\":".getBytes(StandardCharsets.UTF_8)));
          out.write(Payload.of("[]}".getBytes(StandardCharsets.UTF_8)));
        };
    ApiResponse answer =
        filter(Level.REQUEST_RESPONSE, allowed(ApiResponse.of(200, "application/json", list)))
            .answer(exchange("GET", "/api/v1/pods", "", ""));
    assertThat(sink.stages()).containsExactly(Stage.REQUEST_RECEIVED);

    ((Body.Streamed) answer.body()).writeTo(part -> {});

    assertThat(sink.text(1)).contains("\"responseObject\":{\"items\":[]}");
  }

  @ParameterizedTest
  @CsvSource({
    "NONE, false",
    "METADATA, false",
    "METADATA, true",
    "REQUEST, false",
    "REQUEST, true",
    "REQUEST_RESPONSE, false",
    "REQUEST_RESPONSE, true",
  })
  void response_isShownFromRequestResponseOn_andAStatusFromMetadataOn(
      Level level, boolean isStatus) {
    String status =
        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Success\","
            + "\"message\":\"Test status message\",\"reason\":\"TestReason\",\"code\":200}";
    String pod = "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"test-pod\"}}";
    String body = isStatus ? status : pod;

    filter(
            level,
            allowed(ApiResponse.of(200, "application/json", body.getBytes(StandardCharsets.UTF_8))))
        .answer(exchange("GET", "/api/v1/namespaces/ns/pods/test-pod", "", ""));

    if (level == Level.NONE) {
      assertThat(sink.events).isEmpty();
      return;
    }
    assertThat(sink.text(1))
        .contains(
            isStatus
                ? "\"responseStatus\":{\"metadata\":{},\"status\":\"Success\","
                    + "\"message\":\"Test status message\",\"reason\":\"TestReason\",\"code\":200}"
                : "\"responseStatus\":{\"metadata\":{},\"code\":200}");
    assertThat(sink.text(1).contains("\"responseObject\":" + body))
        .isEqualTo(level == Level.REQUEST_RESPONSE);
    assertThat(sink.text(1).contains("responseObject")).isEqualTo(level == Level.REQUEST_RESPONSE);
  }

  @Test
  void impersonation_isShownWithItsConstraint() {
    dev.keelson.http.RequestHandler acting =
        exchange -> {
          exchange
              .context()
              .impersonate(new UserInfo("bob", "", List.of(), Map.of()), "impersonate:user-info");
          return created();
        };

    filter(Level.METADATA, acting).answer(create(SECRET));

    assertThat(sink.text(1))
        .contains("\"user\":{\"username\":\"alice\"", "\"impersonatedUser\":{\"username\":\"bob\"}")
        .contains("\"impersonationConstraint\":\"impersonate:user-info\"");
  }

  @Test
  void failedAuthentication_isOneEventWithoutUser() {
    dev.keelson.http.RequestHandler unauthorized =
        exchange -> {
          throw new ApiException(dev.keelson.api.Reason.UNAUTHORIZED, "Unauthorized");
        };

    ApiResponse answer =
        new FailedRequestAudit(parts(Level.METADATA, Set.of()), unauthorized)
            .answer(create(SECRET));

    assertThat(answer.status()).isEqualTo(401);
    assertThat(sink.stages()).containsExactly(Stage.RESPONSE_STARTED);
    assertThat(sink.text(0)).contains("\"user\":{},", "\"reason\":\"Unauthorized\",\"code\":401}");
  }

  @Test
  void failedAuthentication_hasNoEventWithoutItsStage() {
    dev.keelson.http.RequestHandler unauthorized =
        exchange -> {
          throw new ApiException(dev.keelson.api.Reason.UNAUTHORIZED, "Unauthorized");
        };

    ApiResponse answer =
        new FailedRequestAudit(
                parts(Level.REQUEST_RESPONSE, Set.of(Stage.RESPONSE_STARTED)), unauthorized)
            .answer(create(SECRET));

    assertThat(answer.status()).isEqualTo(401);
    assertThat(sink.events).isEmpty();
  }

  @Test
  void policyNone_passesTheRequestOn() {
    ApiResponse answer = filter(Level.NONE, allowed(created())).answer(create(SECRET));

    assertThat(answer.status()).isEqualTo(201);
    assertThat(sink.events).isEmpty();
    assertThat(metrics.levels).containsEntry(Level.NONE, 1);
  }

  @Test
  void sourceAddresses_andTheTimeOfArrival_areShown() {
    Exchange exchange = create(SECRET);
    exchange.context().received(Instant.parse("2026-01-01T00:00:00Z"));

    filter(Level.METADATA, allowed(created())).answer(exchange);

    assertThat(sink.text(0))
        .contains("\"sourceIPs\":[\"203.0.113.9\",\"10.0.0.1\"]", "\"userAgent\":\"curl/8\"")
        .contains("\"requestReceivedTimestamp\":\"2026-01-01T00:00:00.000000Z\"");
  }

  private static Exchange create(String body) {
    return exchange("POST", "/api/v1/namespaces/ns/secrets", "fieldManager=x", body);
  }

  private static ApiResponse created() {
    return ApiResponse.of(
        201, "application/json", "{ \"made\": true }".getBytes(StandardCharsets.UTF_8));
  }

  private static final class RecordedStream implements Body.LongRunning {
    private int abandoned;

    @Override
    public void start(Body.Channel channel) {}

    @Override
    public void abandon() {
      abandoned++;
    }
  }
}
