package dev.keelson.http.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.audit.Acceptance;
import dev.keelson.audit.event.EventFields;
import dev.keelson.audit.event.Level;
import dev.keelson.audit.event.ResponseStatus;
import dev.keelson.audit.event.Stage;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stages and codes of requests, as in kube-apiserver's test of its filter (audit_test.go). */
class AuditStagesTest extends AuditHarness {

  private static final String SHORT = "/api/v1/namespaces/default/pods/foo";
  private static final String LONG = "/api/v1/namespaces/default/pods";
  private static final String LOG = SHORT + "/log";
  private static final String EXEC = SHORT + "/exec";
  private static final Payload FOO = Payload.of("foo".getBytes(StandardCharsets.UTF_8));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // requests that are over with their answer
        "GET   | empty | '' | RequestReceived, ResponseComplete 200",
        "GET   | panic | '' | RequestReceived, Panic 500",
        "PUT   | empty | '' | RequestReceived, ResponseComplete 200",
        "PUT   | 403 | '' | RequestReceived, ResponseComplete 403",
        "PUT   | panic | '' | RequestReceived, Panic 500",
        "GET   | stream | '' | RequestReceived, ResponseComplete 200",
        "GET   | stream+panic | '' | RequestReceived, Panic 500",
        "GET   | stream+gone | '' | RequestReceived, ResponseComplete 200",
        "GET   | stream+abandon | '' | RequestReceived, ResponseComplete 200",
        // long-running requests
        "WATCH | abandon | '' | RequestReceived, ResponseStarted 200, ResponseComplete 200",
        "WATCH | watch | '' | RequestReceived, ResponseStarted 200, ResponseComplete 200",
        "WATCH | 403 | '' | RequestReceived, ResponseStarted 403, ResponseComplete 403",
        "WATCH | panic | '' | RequestReceived, Panic 500",
        "WATCH | watch+panic | '' | RequestReceived, ResponseStarted 200, Panic 500",
        "WATCH | watch+wake+panic | '' | RequestReceived, ResponseStarted 200, Panic 500",
        // answers of other servers
        "LOG   | relay | '' | RequestReceived, ResponseStarted 200, ResponseComplete 200",
        "LOG   | relay+gone | '' | RequestReceived, ResponseStarted 200, ResponseComplete 200",
        "GET   | relay | '' | RequestReceived, ResponseComplete 200",
        "GET   | relay+gone | '' | RequestReceived, Panic 500",
        "GET   | relay+abandon | '' | RequestReceived, ResponseComplete 200",
        "EXEC  | upgrade | '' | RequestReceived, ResponseStarted 101, ResponseComplete 101",
        "EXEC  | upgrade+abandon | '' | RequestReceived, ResponseStarted 101, ResponseComplete 101",
        "EXEC  | 403 | '' | RequestReceived, ResponseStarted 403, ResponseComplete 403",
        // stages that the policy leaves out
        "GET   | stream | RequestReceived | ResponseComplete 200",
        "WATCH | watch+panic | RequestReceived ResponseStarted ResponseComplete | Panic 500",
      })
  void request_hasAnEventAtEachStage(String verb, String handler, String omitted, String expected) {
    Set<Stage> stages =
        Arrays.stream(omitted.split(" ", -1))
            .filter(word -> !word.isEmpty())
            .map(word -> Stage.ofWord(word).orElseThrow())
            .collect(Collectors.toSet());

    ask(parts(Level.REQUEST_RESPONSE, stages), verb, handler);

    assertThat(events()).isEqualTo(expected);
    assertThat(sink.events)
        .allSatisfy(
            event -> {
              EventFields fields = event.fields();
              assertThat(Objects.requireNonNull(fields.request().user()).name()).isEqualTo("alice");
              assertThat(fields.request().auditId()).isEqualTo("audit-1");
              assertThat(fields.request().requestUri()).isEqualTo(uri(verb));
              assertThat(fields.objectRef())
                  .extracting("apiGroup", "apiVersion", "resource")
                  .containsExactly("", "v1", "pods");
            });
  }

  @Test
  void upgrade_isOverWhenItsConnectionIs() {
    ApiResponse answer = answer(parts(Level.METADATA, Set.of()), "EXEC", "upgrade");
    assertThat(events()).isEqualTo("RequestReceived, ResponseStarted 101");

    ((Body.Upgraded) answer.body()).ended();
    ((Body.Upgraded) answer.body()).ended();

    assertThat(events()).isEqualTo("RequestReceived, ResponseStarted 101, ResponseComplete 101");
  }

  @Test
  void upgradeWhoseEventIsRefused_isAbandoned() {
    sink.answers.addAll(List.of(Acceptance.ACCEPTED, Acceptance.REFUSED));
    Upgrade upgrade = new Upgrade();

    ApiResponse answer =
        new AuditFilter(
                parts(Level.METADATA, Set.of()), allowed(new ApiResponse(101, List.of(), upgrade)))
            .answer(request("EXEC"));

    assertThat(answer.status()).isEqualTo(500);
    assertThat(upgrade.abandoned).isEqualTo(1);
  }

  @Test
  void panicOfAStream_saysWhatHappened() {
    ask(parts(Level.METADATA, Set.of()), "GET", "stream+panic");
    ask(parts(Level.METADATA, Set.of()), "GET", "relay+gone");

    assertThat(sink.text(1))
        .contains("\"message\":\"APIServer panic'd: java.lang.IllegalStateException: kaboom\"");
    assertThat(sink.text(3)).contains("\"message\":\"APIServer panic'd: net/http: abort Handler\"");
  }

  private void ask(AuditParts parts, String verb, String handler) {
    ApiResponse answer = answer(parts, verb, handler);
    boolean broken = handler.startsWith("stream+panic") || handler.endsWith("+gone");
    switch (answer.body()) {
      case Payload _ -> {}
      case Body.Streamed body when handler.endsWith("+abandon") -> body.abandon();
      case Body.Relayed body when handler.endsWith("+abandon") -> body.abandon();
      case Body.Upgraded body when handler.endsWith("+abandon") -> body.abandon();
      case Body.Streamed body -> write(() -> body.writeTo(part -> {}), broken, body::abandon);
      case Body.Relayed body -> write(() -> body.writeTo(part -> {}), broken, body::abandon);
      case Body.Upgraded body -> body.ended();
      case Body.LongRunning body when handler.equals("abandon") -> body.abandon();
      case Body.LongRunning body -> {
        Channel channel = new Channel();
        if (handler.equals("watch")) {
          body.start(channel);
        } else {
          assertThatThrownBy(
                  () -> {
                    body.start(channel);
                    channel.steps.forEach(Runnable::run);
                  })
              .hasMessage("kaboom");
        }
        channel.gone.run();
      }
    }
  }

  private interface Writing {
    void run() throws InterruptedException;
  }

  /** A body is abandoned at the end of its request, written or not. */
  private static void write(Writing writing, boolean broken, Runnable abandon) {
    if (broken) {
      assertThatThrownBy(writing::run).isInstanceOf(RuntimeException.class);
    } else {
      try {
        writing.run();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    abandon.run();
  }

  private ApiResponse answer(AuditParts parts, String verb, String handler) {
    return new AuditFilter(parts, handler(handler)).answer(request(verb));
  }

  private static RequestHandler handler(String name) {
    return switch (name) {
      case "empty" -> allowed(new ApiResponse(200, List.of(), Payload.EMPTY));
      case "403" ->
          allowed(ApiResponse.of(403, "text/plain", "foo".getBytes(StandardCharsets.UTF_8)));
      case "panic" ->
          exchange -> {
            throw new IllegalStateException("kaboom");
          };
      case "stream", "stream+abandon" -> streamed(sink -> sink.write(FOO));
      case "stream+panic" ->
          streamed(
              sink -> {
                sink.write(FOO);
                throw new IllegalStateException("kaboom");
              });
      case "stream+gone" ->
          streamed(
              sink -> {
                throw new Body.ClientGoneException();
              });
      case "relay", "relay+abandon" -> allowed(new ApiResponse(200, List.of(), new Relay(false)));
      case "relay+gone" -> allowed(new ApiResponse(200, List.of(), new Relay(true)));
      case "upgrade", "upgrade+abandon" -> allowed(new ApiResponse(101, List.of(), new Upgrade()));
      case "abandon", "watch" -> allowed(new ApiResponse(200, List.of(), new Watch(channel -> {})));
      case "watch+panic" ->
          allowed(
              new ApiResponse(
                  200,
                  List.of(),
                  new Watch(
                      channel -> {
                        channel.write(List.of(FOO));
                        throw new IllegalStateException("kaboom");
                      })));
      case "watch+wake+panic" ->
          allowed(
              new ApiResponse(
                  200,
                  List.of(),
                  new Watch(
                      channel ->
                          channel.wake(
                              () -> {
                                throw new IllegalStateException("kaboom");
                              }))));
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static RequestHandler streamed(Body.Streamed body) {
    return allowed(ApiResponse.of(200, "text/plain", body));
  }

  private static Exchange request(String verb) {
    return switch (verb) {
      case "WATCH" -> exchange("GET", LONG, "watch=true", "");
      case "LOG" -> exchange("GET", LOG, "", "");
      case "EXEC" -> exchange("POST", EXEC, "command=ls", "");
      default -> exchange(verb, SHORT, "", "");
    };
  }

  private static String uri(String verb) {
    return request(verb).request().uri();
  }

  private String events() {
    return sink.events.stream()
        .map(
            event -> {
              ResponseStatus status = event.fields().responseStatus();
              return event.fields().stage().word() + (status == null ? "" : " " + status.code());
            })
        .collect(Collectors.joining(", "));
  }

  private record Relay(boolean breaks) implements Body.Relayed {
    @Override
    public void writeTo(Body.Sink sink) throws InterruptedException {
      sink.write(FOO);
      if (breaks) {
        throw new Body.ClientGoneException();
      }
    }

    @Override
    public void abandon() {}
  }

  private static final class Upgrade implements Body.Upgraded {
    private int abandoned;

    @Override
    public void take(NetSocket connection) {}

    @Override
    public void abandon() {
      abandoned++;
    }
  }

  private record Watch(java.util.function.Consumer<Body.Channel> begins)
      implements Body.LongRunning {
    @Override
    public void start(Body.Channel channel) {
      begins.accept(channel);
    }

    @Override
    public void abandon() {}
  }

  /** Keeps what it is to run. */
  private static final class Channel implements Body.Channel {
    private final List<Runnable> steps = new ArrayList<>();
    private Runnable gone = () -> {};

    @Override
    public void write(List<Payload> events) {}

    @Override
    public boolean full() {
      return false;
    }

    @Override
    public void onDrain(Runnable action) {}

    @Override
    public void onGone(Runnable action) {
      gone = action;
    }

    @Override
    public void onShutdown(Runnable action) {}

    @Override
    public void end() {}

    @Override
    public void cut() {}

    @Override
    public void wake(Runnable action) {
      steps.add(action);
    }

    @Override
    public void execute(Runnable action) {
      steps.add(action);
    }

    @Override
    public void after(Duration delay, Runnable action) {
      steps.add(action);
    }
  }
}
