package dev.keelson.http.aggregation;

import static dev.keelson.http.aggregation.RemoteServer.SHOP;
import static dev.keelson.http.aggregation.RemoteServer.insecure;
import static dev.keelson.http.aggregation.RemoteServer.service;
import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.aggregation.ApiService;
import dev.keelson.aggregation.ApiService.Backend;
import dev.keelson.api.GroupVersion;
import dev.keelson.testing.TestAuthority;
import dev.keelson.testing.TestAuthority.Period;
import dev.keelson.webhook.CertificateFlaw;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests of this server to servers that answer well, badly, or not at all. */
@Timeout(60)
class RemoteFetchTest {

  private static final Duration SOON = Duration.ofMillis(300);
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final String PATH = "/apis/shop.example.com/v1";

  private final RemoteServer server = new RemoteServer();

  @AfterEach
  void stop() {
    server.close();
  }

  private RemoteFetch.Document get(Backend backend, Duration timeout) throws IOException {
    return server.fetch.get(
        service(SHOP, backend, true), PATH, "application/json", "\"known\"", timeout, 1_000);
  }

  @Test
  void get_asksAsTheAggregator() throws IOException {
    AtomicReference<String> asked = new AtomicReference<>("");
    server.on(
        PATH,
        request -> {
          asked.set(
              request.getHeader("X-Remote-User")
                  + " "
                  + request.getHeader("X-Remote-Group")
                  + " "
                  + request.getHeader("Accept")
                  + " "
                  + request.getHeader("If-None-Match"));
          request.response().putHeader("ETag", "\"t\"").end("hello");
        });

    RemoteFetch.Document document = get(server.verified(), LONG);

    assertThat(document.status()).isEqualTo(200);
    assertThat(document.tag()).isEqualTo("\"t\"");
    assertThat(new String(document.body(), StandardCharsets.UTF_8)).isEqualTo("hello");
    assertThat(asked).hasValue("system:kube-aggregator system:masters application/json \"known\"");
  }

  @Test
  void serverThatHangs_isNotWaitedForLongerThanTheTimeout() throws IOException {
    AtomicBoolean reset = new AtomicBoolean();
    server.on(PATH, request -> request.connection().closeHandler(closed -> reset.set(true)));
    Backend backend = server.verified();

    assertThatThrownBy(() -> get(backend, SOON))
        .isInstanceOf(IOException.class)
        .hasMessage("context deadline exceeded");
    assertEventually(() -> assertThat(reset).isTrue());
  }

  @Test
  void bodyThatHangs_isNotWaitedForLongerThanTheTimeout() {
    server.on(PATH, RemoteServer::beginBody);

    assertThatThrownBy(() -> get(server.verified(), SOON))
        .isInstanceOf(IOException.class)
        .hasMessage("context deadline exceeded");
  }

  @Test
  void slowBody_endsAtTheTimeout_howeverOftenAByteComes() {
    server.on(
        PATH,
        request -> {
          request.response().putHeader("Content-Length", "1000");
          long unused =
              server.vertx.setPeriodic(20, tick -> request.response().write(Buffer.buffer("x")));
        });

    assertThatThrownBy(() -> get(server.verified(), SOON))
        .isInstanceOf(IOException.class)
        .hasMessage("context deadline exceeded");
  }

  @Test
  void hugeBody_isNotRead() {
    server.on(PATH, request -> request.response().end(Buffer.buffer(new byte[5_000_000])));

    assertThatThrownBy(() -> get(server.verified(), LONG))
        .isInstanceOf(IOException.class)
        .hasMessage("the response has more than 1000 bytes");
  }

  @Test
  void responseThatBreaksOff_isNoDocument() {
    server.on(
        PATH,
        request -> {
          request.response().putHeader("Content-Length", "100");
          request
              .response()
              .write(Buffer.buffer("half"))
              .onComplete(written -> request.connection().close());
        });

    assertThatThrownBy(() -> get(server.verified(), LONG)).isInstanceOf(IOException.class);
  }

  @Test
  void garbage_isNoDocument() {
    server.listen(
        "garbage",
        socket -> socket.handler(asked -> socket.end(Buffer.buffer("\u0000\u0001 what?\r\n\r\n"))));

    assertThatThrownBy(() -> get(insecure("garbage"), LONG)).isInstanceOf(IOException.class);
  }

  @Test
  void serverThatClosesAtOnce_isNoDocument() {
    server.listen("closing", socket -> socket.close());

    assertThatThrownBy(() -> get(insecure("closing"), LONG)).isInstanceOf(IOException.class);
  }

  @Test
  void redirect_isNotFollowed() throws IOException {
    server.on(
        PATH,
        request -> request.response().setStatusCode(302).putHeader("Location", "/elsewhere").end());

    assertThat(get(server.verified(), LONG).status()).isEqualTo(302);
    assertThat(server.asked).containsExactly(PATH);
  }

  @Test
  void certificateOfAnotherAuthority_isRejected() throws IOException {
    TestAuthority other = TestAuthority.root("authority", Period.now());
    Backend backend = new Backend("default", "shop", 443, RemoteServer.bundle(other), false);

    assertThatThrownBy(() -> get(backend, LONG)).isInstanceOf(IOException.class);
    assertThat(server.asked).isEmpty();
  }

  @Test
  void certificateWithACommonNameAlone_isRejectedAndCounted() {
    server.listenWithCommonName("old");

    assertThatThrownBy(() -> get(server.verified("old"), LONG))
        .isInstanceOf(IOException.class)
        .rootCause()
        .hasMessage("certificate relies on legacy Common Name field, use SANs instead");
    assertThat(server.flaws).containsExactly(CertificateFlaw.MISSING_SAN);
    assertThat(server.asked).isEmpty();
  }

  @Test
  void certificateForAnotherName_isRejected() throws IOException {
    Backend right = server.verified();
    Backend other = new Backend("other", "shop", 443, right.caBundle(), false);

    assertThatThrownBy(() -> get(other, LONG)).isInstanceOf(IOException.class);
    assertThat(server.asked).isEmpty();
  }

  @Test
  void interrupt_endsTheRequest() throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicBoolean stillInterrupted = new AtomicBoolean();
    server.on(PATH, request -> {});
    Thread asking =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    RemoteFetch.Document unused = get(server.verified(), LONG);
                  } catch (IOException e) {
                    failure.set(e);
                    stillInterrupted.set(Thread.currentThread().isInterrupted());
                  }
                });
    assertEventually(() -> assertThat(server.asked).isNotEmpty());

    asking.interrupt();
    asking.join();

    assertThat(failure.get()).isInstanceOf(InterruptedIOException.class);
    assertThat(stillInterrupted).isTrue();
  }

  private void check(Backend backend) throws IOException {
    server.fetch.check(service(SHOP, backend, false));
  }

  @Test
  void check_takesAnyCertificate_andReadsTheStatusAlone() throws IOException {
    server.on(PATH, RemoteServer::beginBody);
    Backend other = new Backend("other", "name", 443, "", false);

    assertThatCode(() -> check(other)).doesNotThrowAnyException();
    server.on(PATH, request -> request.response().end(Buffer.buffer(new byte[5_000_000])));
    assertThatCode(() -> check(other)).doesNotThrowAnyException();
  }

  @Test
  void check_ofTheCoreGroup_asksForItsResources() throws IOException {
    server.serve("/api/v1", "{}");
    ApiService core = service(GroupVersion.CORE_V1, insecure("shop"), false);

    server.fetch.check(core);

    assertThat(server.asked).containsExactly("/api/v1");
  }

  @Test
  void check_saysWhatIsWrong() {
    server.fail(PATH, 418);
    assertThatThrownBy(() -> check(insecure("shop")))
        .hasMessageMatching(
            "failing or missing response from https://127.0.0.1:\\d+/apis/shop.example.com/v1: "
                + "bad status from https://127.0.0.1:\\d+/apis/shop.example.com/v1: 418");

    server.on(
        PATH,
        request -> request.response().setStatusCode(301).putHeader("Location", "/elsewhere").end());
    assertThatThrownBy(() -> check(insecure("shop"))).hasMessageEndingWith(": 301");

    server.listenNowhere("nowhere");
    assertThatThrownBy(() -> check(insecure("nowhere")))
        .hasMessageStartingWith(
            "failing or missing response from https://127.0.0.1:1/apis/shop.example.com/v1: "
                + "Get \"https://127.0.0.1:1/apis/shop.example.com/v1\": ");
  }
}
